import { existsSync } from 'node:fs';
import type { DeploymentEvent } from '@shiplog/contract';
import { descendantsOf, listedEvents, ProgramProcess } from '@shiplog/testing';
import { expect } from 'vitest';

const freePorts = { PORT: '0', EMULATOR_PORT: '0', FETCHER_PORT: '0', DRIVER_PORT: '0' };

/** Starts `npm run demo` on free ports. */
export function spawnDemo(settings: Readonly<Record<string, string>> = {}): ProgramProcess {
  return ProgramProcess.spawn('demo', { ...freePorts, ...settings });
}

/** Resolves with all processes of the demo and its folder, when the demo has printed this text. */
export async function running(demo: ProgramProcess, said = 'driver: http', programs = 4) {
  await demo.until(() => demo.output.includes(said) || !demo.running);
  expect(demo.output).toContain(said);
  const processes = descendantsOf(demo.pid);
  expect(processes.filter(({ args }) => /apps\/[\w-]+\/dist\/main\.js/.test(args))).toHaveLength(programs);
  const [folder = ''] = processes.flatMap(({ args }) => /-D (\S+)\/data/.exec(args)?.[1] ?? []);
  expect(existsSync(folder)).toBe(true);
  return { processes, folder };
}

/** The URL of a program in the last block of the output. */
export function urlOf(demo: ProgramProcess, name: string): string {
  return new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(demo.output)?.[1] ?? '';
}

/** All events posted by reporters with this prefix. */
export async function reportedBy(board: string, prefix: string): Promise<DeploymentEvent[]> {
  const events = [...(await listedEvents(new URL(board).origin)).values()];
  return events.filter(({ progress_reporter }) => progress_reporter?.startsWith(prefix));
}
