import { readdir, readFile } from 'node:fs/promises';

/**
 * Processor time so far in milliseconds, to the nanosecond that the kernel's scheduler keeps, of these processes and of
 * all that descend from them and still run. What has ended takes its time with it.
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const threads = (await readdir(`/proc/${pid}/task`).catch(() => [])).map(
        (thread) => `/proc/${pid}/task/${thread}`,
      );
      const children = (await Promise.all(threads.map((thread) => read(`${thread}/children`)))).join(' ');
      const own = (await Promise.all(threads.map((thread) => read(`${thread}/schedstat`)))).map(millisecondsOf);
      const descendants = children.split(' ').filter((child) => child !== '');
      return own.reduce((sum, ms) => sum + ms, await processorMs(descendants.map(Number)));
    }),
  );
  return each.reduce((sum, ms) => sum + ms, 0);
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

/** The first of the numbers is the time on a processor, in nanoseconds. */
function millisecondsOf(schedstat: string): number {
  return Number(schedstat.split(' ', 1)[0] || 0) / 1e6;
}
