import { execFileSync } from 'node:child_process';

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** What runs; a process that has ended and that nobody has asked about yet does not. */
function running(): readonly Running[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, state, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** All that a process has started, and what that has started. */
export function descendantsOf(pid: number): readonly Running[] {
  const all = running();
  const below = (parent: number): readonly Running[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** Resolves once none of them runs; rejects after 20 s with those that still do. Each look waits for `ps`. */
export async function gone(processes: readonly Running[]): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const pids = new Set(running().map(({ pid }) => pid));
    const left = processes.filter(({ pid }) => pids.has(pid));
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`still running: ${left.map(({ args }) => args).join('\n')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
