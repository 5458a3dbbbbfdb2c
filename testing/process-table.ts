import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { until } from './until.ts';

export interface Running {
  readonly pid: number;
  readonly parent: number;
  /** The command line of the process. */
  readonly args: string;
}

/** The running processes, without zombies. */
export function runningProcesses(): readonly Running[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, state, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** The direct and indirect child processes of a process. */
export function descendantsOf(pid: number): readonly Running[] {
  const all = runningProcesses();
  const below = (parent: number): readonly Running[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** The direct child processes of a process, on Linux; none if it has ended. */
export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Sends a signal, unless the process has ended. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Resolves when all these processes have ended. */
export function gone(processes: readonly Running[]): Promise<void> {
  return until(async () => {
    const pids = new Set(runningProcesses().map(({ pid }) => pid));
    return processes.every(({ pid }) => !pids.has(pid));
  });
}
