import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from './errors.ts';

const pollMs = 10;

/**
 * Identifies a process by the time of its start, so that a later process with the same pid differs, also after a reboot.
 * Undefined when the process has ended, is a zombie, or the system has no /proc.
 */
export function startMark(pid: number): string | undefined {
  const boot = readProc('sys/kernel/random/boot_id')?.trim();
  const stat = readStat(pid);
  return stat === undefined || stat.ended ? undefined : `${boot}/${stat.started}`;
}

/**
 * Whether a process runs. With `mark` (see startMark) a later process with the same pid does not count. A zombie does
 * not count either: it holds no files, and a parent that never reaps it must not block a start.
 */
export function isRunning(pid: number, mark?: string): boolean {
  // For kill(), zero and negative numbers mean process groups; a damaged file must not lead to that.
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return false;
  const stat = readStat(pid);
  // It exists but cannot be read: there is no /proc, or it hides the processes of others. Then it counts.
  if (stat === undefined) return true;
  return !stat.ended && (mark === undefined || mark === startMark(pid));
}

/** The arguments of a process, or the title that it has set; undefined when they cannot be read. */
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
 * The processes of a user whose title starts with `prefix`. Those of containers are left out, because their folders can
 * have the same names as ours. Empty where there is no /proc.
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

/** Sends a signal; that the process has ended already is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** Waits until a process that is not our child has ended; false when the time is over first. */
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
  // The name of the command is in brackets and can contain brackets and spaces, so fields are counted from the last bracket.
  const [state, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  const started = rest[18];
  return state === undefined || started === undefined ? undefined : { ended: /[ZX]/i.test(state), started };
}

function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
