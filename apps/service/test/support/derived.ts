import type { DeploymentEvent } from '@shiplog/contract';
import { distinct, plainLatest, runSql } from '@shiplog/testing';
import { expect } from 'vitest';
import { storedEvents, storedLatest } from './stored.ts';

/** Everything that is derived from the log is what a plain reduction of its rows gives. */
export async function expectDerived(url: string, stored?: readonly DeploymentEvent[]): Promise<void> {
  const rows = stored ?? (await storedEvents(url));
  expect(await storedLatest(url)).toEqual(plainLatest(rows));
  expect(await storedCounts(url)).toEqual(plainCounts(rows));
}

/** The counts by hour, as `dimension hour name count`, sorted. */
async function storedCounts(url: string): Promise<string[]> {
  const rows = await runSql<{ text: string }>(
    url,
    `select concat_ws(' ', dimension, to_char(to_timestamp(hour * 3600.0) at time zone 'UTC', 'YYYY-MM-DD HH24'), name, rows)
       as text from hourly_counts`,
  );
  return distinct(rows.map(({ text }) => text));
}

function plainCounts(rows: readonly DeploymentEvent[]): string[] {
  const counted = rows.flatMap(({ happened_at, status, actor }) => {
    const hour = happened_at.slice(0, 13).replace('T', ' ');
    return [`status ${hour} ${status}`, `actor ${hour} ${actor || 'unknown'}`];
  });
  return distinct(distinct(counted).map((text) => `${text} ${counted.filter((other) => other === text).length}`));
}
