import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReaderReport, ReaderTask } from './reader-process.ts';

/** Subscribers of one stream, in a separate process. */
export interface Readers {
  /** Resolves when each subscriber has every frame exactly once. Rejects otherwise. */
  readonly report: Promise<ReaderReport>;
  close(): Promise<void>;
}

/** Resolves when all subscribers are connected. */
export async function openReaders(task: ReaderTask): Promise<Readers> {
  const child = fork(fileURLToPath(new URL('./reader-process.js', import.meta.url)), [JSON.stringify(task)]);
  const exited = once(child, 'exit');
  const told = async (): Promise<unknown> => {
    const ended = exited.then(([code]) => Promise.reject(new Error(`the readers exited with code ${code}`)));
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  };
  await told();
  const report = told() as Promise<ReaderReport>;
  // If the caller closes the readers early, this rejection must not count as unhandled.
  report.catch(() => undefined);
  return {
    report,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
