import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, postStored, testService } from '@shiplog/testing';
import type { Pair } from './standby.ts';

/** Short intervals for checking standbys. */
const quick = { standbyProbeMs: 20, standbyCooldownMs: 20 };

export interface Line {
  readonly level: number;
  readonly msg: string;
}

/** An instance that reads from standbys. */
export async function readingInstance(databaseUrl: string, readDatabaseUrl: string, times: object = quick) {
  const lines: Line[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const service = await testService({ databaseUrl, config: { readDatabaseUrl }, times, log });
  return { ...service, lines };
}

/** An instance that reads only from the primary, with settings that keep its cached results separate. */
export async function plainInstance(databaseUrl: string) {
  const promotionOrder = ['nowhere', 'staging', 'prod'].map((name) => ({ name }));
  return testService({ databaseUrl, config: { analytics: { granularity: 'day', promotionOrder } } });
}

/** Starts both kinds of instance on a pair after the standby has the tables. */
export async function instances(pair: Pair, readDatabaseUrl = pair.standbyUrl, times: object = quick) {
  const plain = await plainInstance(pair.primaryUrl);
  await pair.caughtUp();
  return { plain, reading: await readingInstance(pair.primaryUrl, readDatabaseUrl, times) };
}

export function someEvent(index: number): DeploymentEventIngest {
  const hours = index % 200;
  return anEvent({
    deployment_id: `d${Math.floor(index / 3)}`,
    service: ['api', 'web', 'auth'][index % 3] ?? 'api',
    environment: ['staging', 'prod'][index % 2] ?? 'prod',
    status: (['success', 'failure', 'in-progress', 'success'] as const)[index % 4] ?? 'success',
    happened_at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    version: `1.${index % 5}.0`,
  });
}

export async function postSome(url: string, from: number, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => postStored(url, someEvent(from + index))));
}

/** The number of log lines that report this about a standby. */
export function told(lines: readonly Line[], words: string): number {
  return lines.filter(({ msg }) => msg.includes(`a standby ${words}`)).length;
}

/** How many events a standby is behind, according to the instance's metric. */
export async function lagEvents(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^shiplog_read_lag_events\{.*\} (.*)$/m.exec(text)?.[1]);
}
