import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks of the kernel in a second, as /proc counts them. */
const ticksPerSecond = 100;

/** A process, with its processor time so far in milliseconds. */
export interface Process {
  readonly command: string;
  /** Of itself, to the nanosecond that the kernel's scheduler keeps. */
  readonly ownMs: number;
  /** Of its children that have ended and been waited for, to a clock tick. */
  readonly endedMs: number;
}

/**
 * Processor time so far in milliseconds of these processes and of all that descend from them and still run. What has
 * ended takes its time with it.
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs }) => sum + ownMs, 0);
}

/** The same, those that have ended too. */
export async function processorMsWithEnded(pids: readonly number[]): Promise<number> {
  return (await family(pids)).reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0);
}

/** These processes and all that descend from them. One that has ended meanwhile has no command and no time. */
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

/** Empty for a process that has ended meanwhile. */
function read(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

/** The first of the numbers is the time on a processor, in nanoseconds. */
function millisecondsOf(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0] || 0) / 1e6;
}

/** Behind the name in parentheses, which may hold spaces, the 14th and 15th field are the ticks of ended children. */
function endedMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13).map(Number);
  return (1000 * (user + system)) / ticksPerSecond;
}
