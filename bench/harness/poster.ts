import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PosterReport, PosterTask } from './poster-process.ts';

/** Posts at a constant rate from a separate process. @throws if a post is rejected */
export async function postAtRate(task: PosterTask): Promise<PosterReport> {
  const child = fork(fileURLToPath(new URL('./poster-process.js', import.meta.url)), [JSON.stringify(task)]);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the poster exited with code ${code}`)));
  const [report] = await Promise.race([once(child, 'message'), ended]);
  return report as PosterReport;
}
