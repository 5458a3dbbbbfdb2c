import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, headerNames } from '@shiplog/contract';

const everyMs = 1000;

interface Answer {
  readonly status: number | undefined;
  readonly etag: string;
}

/**
 * Requests the matrix once a second over one connection, with the last ETag, until the signal aborts. Returns the
 * response times in milliseconds.
 * @param phase when to start, as a fraction of a second from 0 to 1.
 * @throws if a response is neither 200 nor 304.
 */
export async function pollMatrix(url: string, phase: number, signal: AbortSignal): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const timesMs: number[] = [];
  let etag = '';
  await sleep(phase * everyMs);
  while (!signal.aborted) {
    const startedAt = performance.now();
    const answer = await getMatrix(url, etag, agent);
    if (answer.status !== 200 && answer.status !== 304) throw new Error(`the matrix returned ${answer.status}`);
    etag = answer.etag;
    const ms = performance.now() - startedAt;
    timesMs.push(ms);
    await sleep(Math.max(0, everyMs - ms));
  }
  agent.destroy();
  return timesMs;
}

function getMatrix(url: string, etag: string, agent: Agent): Promise<Answer> {
  const headers = { [headerNames.ifNoneMatch]: etag };
  return new Promise((resolve, reject) => {
    get(`${url}${endpoints.getMatrix.path}`, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode, etag: response.headers.etag ?? '' }));
    }).on('error', reject);
  });
}
