import { readdir, readFile } from 'node:fs/promises';

/** The kernel's clock ticks per second, as counted in /proc. */
const ticksPerSecond = 100;

/** A process with its CPU time so far. */
export interface Process {
  readonly command: string;
  /** The time of the process itself, with the nanosecond precision of the kernel scheduler. */
  readonly ownMs: number;
  /** The time of its children that have ended and been waited for, in whole clock ticks. */
  readonly endedMs: number;
}

/**
 * The CPU time so far, in milliseconds, of these processes and their running descendants. Excludes processes that have
 * ended.
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs }) => sum + ownMs, 0);
}

/** Like `processorMs`, but including descendants that have ended. */
export async function processorMsWithEnded(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0);
}

/** These processes and all their descendants. A process that has just ended has no command and no time. */
export async function family(pids: readonly number[]): Promise<Process[]> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const folder = `/proc/${pid}`;
      const threads = (await readdir(`${folder}/task`).catch(() => [])).map((thread) => `${folder}/task/${thread}`);
      const [command, stat] = await Promise.all([read(`${folder}/cmdline`), read(`${folder}/stat`)]);
      const own = (await Promise.all(threads.map((thread) => read(`${thread}/schedstat`)))).map(millisecondsOf);
      const children = (await Promise.all(threads.map((thread) => read(`${thread}/children`)))).join(' ');
      const descendants = await family(children.split(' ').filter(Boolean).map(Number));
      return [{ command, ownMs: own.reduce((sum, ms) => sum + ms, 0), endedMs: endedMsOf(stat) }, ...descendants];
    }),
  );
  return each.flat();
}

/** The text of a file; empty if the process has just ended. */
function read(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

/** The first number is the CPU time in nanoseconds. */
function millisecondsOf(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0] || 0) / 1e6;
}

/** The name in parentheses may contain spaces. After it, fields 14 and 15 are the ticks of ended children. */
function endedMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13).map(Number);
  return (1000 * (user + system)) / ticksPerSecond;
}
