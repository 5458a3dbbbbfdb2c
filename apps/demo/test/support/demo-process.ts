import { existsSync } from 'node:fs';
import { descendantsOf } from '@shiplog/testing';
import { ProgramProcess } from '@shiplog/testing/process';
import { expect } from 'vitest';

/** `npm run demo`, on free ports. */
export function spawnDemo(ports: Readonly<Record<string, string>> = { PORT: '0', DRIVER_PORT: '0' }): ProgramProcess {
  return ProgramProcess.spawn('demo', ports);
}

/** Once it has said this; with all processes that it has, and its folder. */
export async function running(demo: ProgramProcess, said = 'driver: http') {
  await demo.until(() => demo.output.includes(said) || !demo.running);
  expect(demo.output).toContain(said);
  const processes = descendantsOf(demo.pid);
  expect(processes.filter(({ args }) => /apps\/(service|demo-driver)\//.test(args))).toHaveLength(2);
  const [folder = ''] = processes.flatMap(({ args }) => /-D (\S+)\/data/.exec(args)?.[1] ?? []);
  expect(existsSync(folder)).toBe(true);
  return { processes, folder };
}
