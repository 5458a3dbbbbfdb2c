import type { DeploymentEvent, Release } from '@shiplog/contract';
import { clientOf, emptyLog, fileService, micros, runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendAll } from './support/bulk-append.ts';
import { expectDerived } from './support/derived.ts';
import { plainDiff } from './support/plain-environments-diff.ts';
import { isFound, plainReleases } from './support/plain-releases.ts';
import { releaseHistory } from './support/release-history.ts';
import { storedEvents } from './support/stored.ts';

const log = fileService();

const limits = { numRuns: runs(12), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true };

/** Replaces the stored history, in batches of random sizes. */
async function store(history: Parameters<typeof appendAll>[1], batch: number): Promise<DeploymentEvent[]> {
  await emptyLog(log.databaseUrl);
  for (let from = 0; from < history.length; from += batch) {
    await appendAll(log.databaseUrl, history.slice(from, from + batch));
  }
  return storedEvents(log.databaseUrl);
}

async function listed(query: { service?: string; q?: string }, limit: number): Promise<Release[]> {
  const items: Release[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await clientOf(log.url).listReleases({ query: { ...query, limit, ...(cursor && { cursor }) } });
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return items;
}

const searches = ['1.', 'rc', 'C_', '_1', '%.', '1%', 'abcd', 'ABCD9', 'ffff00aa', 'ffff00aab', 'abc', 'cd12', 'é/'];

test('releases, their pages and searches match the model in any order of arrival', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(releaseHistory, fc.integer({ min: 1, max: 9 }), async (history, size) => {
      const rows = await store(history, size);
      await expectDerived(log.databaseUrl, rows);
      const plain = plainReleases(rows);
      const due = plain.map(({ item }) => item);
      expect(await listed({}, size)).toEqual(due);
      expect(await listed({ service: 'a/é' }, size)).toEqual(due.filter((item) => item.service === 'a/é'));
      for (const q of searches) {
        const found = plain.filter(({ item, events }) => isFound(q, item.version, events));
        expect({ q, items: await listed({ q }, size) }).toEqual({ q, items: found.map(({ item }) => item) });
      }
      for (const { item, events, replaced } of plain) {
        const name = item.version ?? item.sha ?? '';
        const isHidden = item.version === null && due.some((of) => of.service === item.service && of.version === name);
        const { body } = await clientOf(log.url).getRelease({ params: { service: item.service, version: name } });
        if (!isHidden) expect(body).toEqual({ ...item, events, replaced });
      }
    }),
    limits,
  );
});

test('a release with very many rows does not hide later releases in the list', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 4, 4) + second * 1000).toISOString();
  const release = (version: string, second: number) => ({
    deployment_id: `${version}-${second}`,
    service: 'api',
    environment: 'prod',
    status: 'success' as const,
    happened_at: at(second),
    version,
  });
  const many = Array.from({ length: 200 }, (_, n) => release('new', 2 + n));
  await store([release('oldest', 0), release('old', 1), ...many], 500);
  const versions = (await listed({}, 1)).map(({ version }) => version);
  expect(versions).toEqual(['new', 'old', 'oldest']);
});

test('the difference of two environments matches the model at any time, and swapping the environments mirrors it', {
  timeout: 600_000,
}, async () => {
  const mirrored: Record<string, string> = {
    ahead: 'behind',
    behind: 'ahead',
    'only-from': 'only-to',
    'only-to': 'only-from',
  };
  await fc.assert(
    fc.asyncProperty(releaseHistory, fc.integer({ min: 0, max: 9 }), async (history, second) => {
      const rows = await store(history, 7);
      for (const at of [undefined, `2026-05-04T09:12:0${second}Z`]) {
        const then = rows.filter((row) => at === undefined || micros(row) <= micros({ happened_at: at }));
        const query = at === undefined ? {} : { at };
        const there = (await clientOf(log.url).diffEnvironments({ query: { from: 'dev', to: 'prod', ...query } })).body;
        const due = { from: 'dev', to: 'prod', at: at ?? null, ...plainDiff(then, 'dev', 'prod') };
        expect(there).toEqual(due);
        const back = (await clientOf(log.url).diffEnvironments({ query: { from: 'prod', to: 'dev', ...query } })).body;
        const relations = there.items.map((item) => [item.service, mirrored[item.relation] ?? item.relation]);
        expect(back.items.map((item) => [item.service, item.relation])).toEqual(relations);
        expect(back.items.map((item) => [item.from, item.to])).toEqual(there.items.map((item) => [item.to, item.from]));
      }
    }),
    limits,
  );
});
