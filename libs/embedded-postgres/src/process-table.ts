import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from './errors.ts';

const pollMs = 10;

/**
 * When a process was started, as a text that no other process with the same pid shares, across reboots too.
 * Undefined when the process is gone, is a zombie, or the system has no /proc.
 */
export function startMark(pid: number): string | undefined {
  const boot = readProc('sys/kernel/random/boot_id')?.trim();
  const stat = readStat(pid);
  return stat === undefined || stat.ended ? undefined : `${boot}/${stat.started}`;
}

/**
 * Whether a process runs. With `mark` (see startMark) a later process that happens to have the pid does not count.
 * A zombie does not count either: it holds no file any more, and a parent that never reaps must not block a start.
 */
export function isRunning(pid: number, mark?: string): boolean {
  // Zero and below address groups of processes, so a damaged file must not get them as far as kill().
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return false;
  const stat = readStat(pid);
  // Nothing readable although it exists: no /proc, or one that hides the processes of others. Then it counts.
  if (stat === undefined) return true;
  return !stat.ended && (mark === undefined || mark === startMark(pid));
}

/** The arguments a process was started with, or the title it gave itself; undefined when nobody can tell. */
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
 * The processes of one user whose title starts with `prefix`, without those of containers, whose folders may have the
 * same names as ours; empty where there is no /proc.
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

/** Sends a signal; a process that is gone already is what the sender wanted. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** Waits until a process that is not our child is gone; false when the bound is reached first. */
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
  // The command's name stands in brackets and may hold brackets and spaces itself: count from the last one.
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
