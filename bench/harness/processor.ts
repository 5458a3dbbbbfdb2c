import { readdir, readFile } from 'node:fs/promises';

/** The kernel's clock ticks per second, as counted in /proc. */
const ticksPerSecond = 100;

/** A process with its processor time so far. */
export interface Process {
  readonly command: string;
  /** The time of the process itself, with the kernel scheduler's nanosecond precision. */
  readonly ownMs: number;
  /** The time of its children that have ended and been waited for, in whole clock ticks. */
  readonly endedMs: number;
}

/**
 * The processor time so far, in milliseconds, of these processes and their running descendants. The time of a process
 * that has ended is lost.
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs }) => sum + ownMs, 0);
}

/** Like `processorMs`, but including descendants that have ended. */
export async function processorMsWithEnded(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0);
}

/** These processes and all their descendants. A process that has ended meanwhile has no command and no time. */
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

/** The text of a file; empty if the process has ended meanwhile. */
function read(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

/** The first number is the time on a processor, in nanoseconds. */
function millisecondsOf(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0] || 0) / 1e6;
}

/** After the name in parentheses, which may contain spaces, fields 14 and 15 are the ticks of ended children. */
function endedMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13).map(Number);
  return (1000 * (user + system)) / ticksPerSecond;
}
