import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReturningReport, ReturningTask } from './returning-process.ts';

/** Subscribers that reconnect like browsers, in a separate process. */
export interface Returning {
  /** Resolves when each subscriber has this many frames and all have the same frames. */
  finish(events: number): Promise<ReturningReport>;
  close(): Promise<void>;
}

/** Resolves when all are connected. */
export async function openReturning(task: ReturningTask): Promise<Returning> {
  const child = fork(fileURLToPath(new URL('./returning-process.js', import.meta.url)), [JSON.stringify(task)]);
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => Promise.reject(new Error(`the readers exited with code ${code}`)));
  ended.catch(() => undefined);
  const told = () => Promise.race([once(child, 'message'), ended]);
  await told();
  return {
    finish: async (events) => {
      child.send(events);
      const [report] = await told();
      return report as ReturningReport;
    },
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
