import { Agent, get } from 'node:http';
import { createClient } from '@shiplog/client';
import { summary } from './figure.ts';
import { keys, type Stage } from './stage.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
  /** The size of the transferred body, before decompression. */
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends one GET on a persistent connection and measures the time until its last byte. */
export function timedGet(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Timed> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({
          ms: performance.now() - startedAt,
          status: response.statusCode ?? 0,
          body: body.toString(),
          bytes: body.length,
          headers: response.headers,
        });
      });
    }).on('error', reject);
  });
}

/** The median time of this many sequential GETs, after a first GET that does not count. */
export async function repeatedAnswerMs(url: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let index = -1; index < count; index += 1) {
    const ms = await okMs(url);
    if (index >= 0) times.push(ms);
  }
  return summary(times).median;
}

const firstAnswersMax = 5;
const firstAnswersMs = 200;

/**
 * The median time of GETs. Each is sent after a change of the log that invalidates earlier responses. Sends at least
 * one and at most five GETs, and stops after 200 ms.
 */
export async function firstAnswerMs(stage: Stage, path: string): Promise<number> {
  const times: number[] = [];
  let spentMs = 0;
  while (times.length < firstAnswersMax && spentMs < firstAnswersMs) {
    await changeLog(stage);
    const ms = await okMs(stage.url + path);
    times.push(ms);
    spentMs += ms;
  }
  return summary(times).median;
}

/** Measures a figure and its yardstick alternately. */
export async function inTurn(
  rounds: number,
  compared: { readonly measure: () => Promise<number>; readonly yardstick: () => Promise<number> },
): Promise<{ measured: number[]; yardstick: number[] }> {
  const measured: number[] = [];
  const yardstick: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await compared.measure());
    yardstick.push(await compared.yardstick());
  }
  return { measured, yardstick };
}

let changes = 0;

/** Old enough for the windows of all queries. */
const lateMs = 36 * 3_600_000;

/** Posts a late event in a slot of a filled log. Every response depends on this event. */
export async function changeLog(stage: Pick<Stage, 'url'>): Promise<void> {
  changes += 1;
  await createClient({ baseUrl: stage.url, keys }).appendDeployment({
    body: {
      deployment_id: `change-${changes}`,
      service: 'service-0',
      environment: 'env-0',
      status: 'failure',
      happened_at: new Date(Date.now() - lateMs).toISOString(),
    },
  });
}

/** The time of a GET. @throws if the status is not 200 */
export async function okMs(url: string): Promise<number> {
  const { ms, status } = await timedGet(url);
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return ms;
}
