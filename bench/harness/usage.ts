import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks of the kernel in a second, as /proc counts them. */
const ticksPerSecond = 100;

/** Programs by the names that they are shown by, and what their command lines have. */
const programs = {
  service: /service\/dist\/main\.js/,
  PostgreSQL: /postgres/,
  subscribers: /reader-process\.js/,
  bench: /bench\/dist\/main\.js/,
} as const;

/** Use of the processors from now on. */
export interface Usage {
  /** By program, in percent of one processor; those that have ended tell their seconds themselves. */
  shares(ended: Readonly<Record<string, number>>): Promise<string>;
}

export async function startUsage(): Promise<Usage> {
  const startedAt = performance.now();
  const before = await processorSeconds();
  return {
    shares: async (ended) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const after = await processorSeconds();
      const used = [...after].map(([name, total]) => [name, total - (before.get(name) ?? 0)] as const);
      return [...used, ...Object.entries(ended)]
        .map(([name, spent]) => `${name} ${Math.round((100 * spent) / seconds)} %`)
        .join(', ');
    },
  };
}

/** Seconds of processor time so far, by program, over this process and all that descend from it. */
async function processorSeconds(): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const { command, ticks } of await family()) {
    const [name] = Object.entries(programs).find(([, pattern]) => pattern.test(command)) ?? [];
    if (name) seconds.set(name, (seconds.get(name) ?? 0) + ticks / ticksPerSecond);
  }
  return seconds;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly ticks: number;
  /** Of its children that have ended and been waited for. */
  readonly ticksOfEnded: number;
}

/** Seconds of processor time of a process so far, with all that descend from it, those that have ended too. */
export async function secondsOf(pid: number): Promise<number> {
  const ticks = (await family(pid)).map((each) => each.ticks + each.ticksOfEnded);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

async function family(ancestor = process.pid): Promise<Process[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const all = (await Promise.all(pids.map(readProcess))).filter((found) => found !== undefined);
  const members = new Set([ancestor]);
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  return all.filter(({ pid }) => members.has(pid));
}

/** `undefined` for a process that has ended meanwhile. */
async function readProcess(pid: number): Promise<Process | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1');
    // The name in parentheses may hold spaces; the fields after it are state, parent, … and the ticks of user and system, of itself and of ended children.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11);
    return { pid, parent: fields[1] ?? 0, command, ticks: user + system, ticksOfEnded: userOfEnded + systemOfEnded };
  } catch {
    return undefined;
  }
}
