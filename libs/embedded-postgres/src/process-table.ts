import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from './errors.ts';

const pollMs = 10;

/**
 * A value that differs for a later process with the same pid. Undefined for an ended process, for a zombie, and without
 * /proc.
 */
export function startMark(pid: number): string | undefined {
  const boot = readProc('sys/kernel/random/boot_id')?.trim();
  const stat = readStat(pid);
  return stat === undefined || stat.ended ? undefined : `${boot}/${stat.started}`;
}

/**
 * Whether the process is running. With `mark` (see startMark), a later process with the same pid does not count. A
 * zombie does not count either, because a parent that never reaps it must not block a start.
 */
export function isRunning(pid: number, mark?: string): boolean {
  // kill() interprets zero and negative numbers as process groups.
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return false;
  const stat = readStat(pid);
  // There is no /proc, or it hides the processes of other users.
  if (stat === undefined) return true;
  return !stat.ended && (mark === undefined || mark === startMark(pid));
}

/** The arguments of a process, or its title. Undefined if they can't be read. */
export function commandLine(pid: number): string[] | undefined {
  const text = readProc(`${pid}/cmdline`);
  if (text !== undefined) return text.split('\0').filter((part) => part !== '');
  if (process.platform === 'linux') return undefined;
  try {
    return [execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim()];
  } catch {
    return undefined;
  }
}

/**
 * The processes of a user that have this title. Ignores processes in containers, where folders can have the same names.
 * Empty without /proc.
 */
export function processesTitled(prefix: string, uid: number): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid)
      .map(Number)
      .filter((pid) => commandLine(pid)?.[0]?.startsWith(prefix) && isRunning(pid))
      .filter((pid) => namespaceOf(pid) === namespaceOf('self'));
  } catch {
    return [];
  }
}

function namespaceOf(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Ignores a process that has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** Waits for the end of a process that is not our child. Returns false on timeout. */
export async function untilGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await delay(pollMs);
  }
  return true;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function readStat(pid: number): { ended: boolean; started: string } | undefined {
  const text = readProc(`${pid}/stat`);
  // The command is in brackets and can contain brackets and spaces, so count fields from the last bracket.
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  const started = fields[18];
  return state === undefined || started === undefined ? undefined : { ended: /[ZX]/i.test(state), started };
}

function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
