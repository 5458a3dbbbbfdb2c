import { execFileSync } from 'node:child_process';
import { until } from './until.ts';

export interface Running {
  readonly pid: number;
  readonly parent: number;
  /** Its command line. */
  readonly args: string;
}

/** What runs; a process that has ended and that nobody has asked about yet does not. */
export function runningProcesses(): readonly Running[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, state, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** All that a process has started, and what that has started. */
export function descendantsOf(pid: number): readonly Running[] {
  const all = runningProcesses();
  const below = (parent: number): readonly Running[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** Resolves once none of them runs. */
export function gone(processes: readonly Running[]): Promise<void> {
  return until(async () => {
    const pids = new Set(runningProcesses().map(({ pid }) => pid));
    return processes.every(({ pid }) => !pids.has(pid));
  });
}
