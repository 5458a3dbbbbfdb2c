import type { DeploymentEvent } from '@shiplog/contract';
import { distinct, newestFirst, plainLatest, runSql } from '@shiplog/testing';
import { expect } from 'vitest';
import { foldAll } from './folding.ts';
import { storedEvents, storedLatest } from './stored.ts';

/** Checks that all derived tables equal a plain reduction of the log's rows. */
export async function expectDerived(url: string, stored?: readonly DeploymentEvent[]): Promise<void> {
  const rows = stored ?? (await storedEvents(url));
  expect(await storedLatest(url)).toEqual(plainLatest(rows));
  await expectReleases(url, rows);
  expect(await storedCounts(url)).toEqual(plainCounts(rows));
}

/** Checks that the latest row of each release and sha equals a plain reduction of these rows. */
export async function expectReleases(url: string, rows: readonly DeploymentEvent[]): Promise<void> {
  await foldAll(url);
  expect(await storedReleases(url)).toEqual(plainReleaseKeys(rows));
}

/** The latest rows of releases by sha, each `[service, version or null, sha, id]`, sorted. */
async function storedReleases(url: string): Promise<string[]> {
  const rows = await runSql<{ service: string; release: string; sha: string; last_id: string }>(
    url,
    `select service, release, sha, (select id from deployments where (id, happened_at) = (last_id, last_at)) as last_id
     from release_shas`,
  );
  return distinct(
    rows.map(({ service, release, sha, last_id }) =>
      JSON.stringify([service, release.startsWith('v') ? release.slice(1) : null, sha, last_id]),
    ),
  );
}

function plainReleaseKeys(rows: readonly DeploymentEvent[]): string[] {
  const known = new Set<string>();
  const keys = newestFirst(rows).flatMap(({ service, version, sha, id }) => {
    const place = JSON.stringify([service, version || null, sha || '']);
    if (known.has(place) || !(version || sha)) return [];
    known.add(place);
    return [JSON.stringify([service, version || null, sha || '', id])];
  });
  return distinct(keys);
}

/** The hourly counts, as `dimension hour name count`, sorted. */
async function storedCounts(url: string): Promise<string[]> {
  const rows = await runSql<{ text: string }>(
    url,
    `select concat_ws(' ', dimension, to_char(to_timestamp(hour * 3600.0) at time zone 'UTC', 'YYYY-MM-DD HH24'), name, events)
       as text from event_counts`,
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
