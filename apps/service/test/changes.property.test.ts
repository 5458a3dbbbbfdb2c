import { type Client, createClient } from '@shiplog/client';
import type { Change, ChangesPage, NetChange } from '@shiplog/contract';
import {
  cloneDatabase,
  emptyLog,
  type RunningService,
  runService,
  runSql,
  runs,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendAll } from './support/bulk-append.ts';
import { plainBuckets, plainChanges, plainCounts, plainNet } from './support/plain-changes.ts';
import { releaseHistory } from './support/release-history.ts';
import { removeEvent } from './support/removing.ts';
import { storedEvents } from './support/stored.ts';

let database: TestDatabase;
let service: RunningService;
let client: Client;

beforeAll(async () => {
  database = await cloneDatabase();
  service = await runService({ databaseUrl: database.url });
  client = createClient({ baseUrl: service.url, keys: testKeys });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

type Query = NonNullable<Parameters<Client['listChanges']>[0]>['query'];

/** All pages; the head must be the same on each. */
async function listed(query: Query, limit: number) {
  const items: (Change | NetChange)[] = [];
  let first: ChangesPage | undefined;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await client.listChanges({ query: { ...query, limit, ...(cursor && { cursor }) } });
    first ??= body;
    expect(body.counts).toEqual(first.counts);
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return { head: first, items };
}

const ranges = [
  { from: '2026-05-04T09:12:03Z', to: '2026-05-04T09:12:06Z' },
  { from: '2026-05-04T09:12:05.000001Z', to: '2026-05-04T09:12:05.000003Z' },
  { from: '2026-05-04', to: '2026-05-05' },
  { from: '2026-05-03', to: '2026-05-04T09:12:04Z' },
];

const histories = fc.array(
  fc.record({
    events: releaseHistory,
    removed: fc.array(fc.nat(200), { maxLength: 4 }),
    batch: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 3 },
);

test('changes, their counts, net changes and histograms match the model as events come, late ones too, and go', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 7 }), async (history, size) => {
      await emptyLog(database.url);
      const ids: string[] = [];
      for (const { events, removed, batch } of history) {
        for (let from = 0; from < events.length; from += batch) {
          ids.push(...(await appendAll(database.url, events.slice(from, from + batch))));
          // The folds stand at different positions when the next events come.
          if (from % 2 === 0) await client.listChanges({ query: {} });
        }
        for (const index of removed) {
          const [id = ''] = ids.splice(index % Math.max(ids.length, 1), 1);
          if (id) expect(await removeEvent(service.url, id)).toBe(204);
        }
        const rows = await storedEvents(database.url);
        for (const range of ranges) {
          const plain = { from: momentOf(range.from), to: momentOf(range.to) };
          const due = plainChanges(rows, plain);
          const all = await listed(range, size);
          expect(all).toEqual({
            head: {
              ...plain,
              scope: null,
              counts: plainCounts(rows, plain),
              ahead: [],
              items: all.items.slice(0, size),
              next_cursor: all.head?.next_cursor,
            },
            items: due.map(({ item }) => item),
          });
          const failed = await listed({ ...range, state: ['failure', 'in-progress'] }, size);
          expect(failed.items).toEqual(
            due.map(({ item }) => item).filter(({ state }) => state === 'failure' || state === 'in-progress'),
          );
          const inScope = { ...plain, includes: ({ service: name }: { service: string }) => name === 'api' };
          const scoped = await listed({ ...range, services: ['api'] }, size);
          expect(scoped.head?.counts).toEqual(plainCounts(rows, inScope));
          expect(scoped.items).toEqual(plainChanges(rows, inScope).map(({ item }) => item));
          expect((await listed({ ...range, net: 'true' }, size)).items).toEqual(plainNet(rows, plain));
          const { body } = await client.getChangesHistogram({ query: { ...range, buckets: size } });
          const boundaries = [...body.buckets.map(({ from }) => from), body.buckets.at(-1)?.to ?? ''];
          expect([boundaries[0], boundaries.at(-1)]).toEqual([plain.from, plain.to]);
          expect(body.buckets.map(({ by_state }) => Object.values(by_state))).toEqual(plainBuckets(rows, boundaries));
        }
      }
    }),
    { numRuns: runs(4), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});

const momentOf = (text: string) => (text.length === 10 ? `${text}T00:00:00Z` : text);

test('a log that is truncated, or replaced by an older one, is noticed', async () => {
  await emptyLog(database.url);
  const event = (deployment_id: string) => ({
    deployment_id,
    service: 'api',
    environment: 'prod',
    status: 'success' as const,
    happened_at: '2026-05-04T09:12:00Z',
  });
  const query = { from: '2026-05-04', to: '2026-05-05' };
  const deployments = async () =>
    ((await client.listChanges({ query })).body.items as Change[]).map(({ deployment_id }) => deployment_id);
  await appendAll(database.url, [event('one'), event('two')]);
  expect(await deployments()).toEqual(['two', 'one']);
  await runSql(database.url, 'create table saved as select * from deployments; truncate deployments');
  expect(await deployments()).toEqual([]);
  await runSql(database.url, 'insert into deployments select * from saved');
  await appendAll(database.url, [event('three')]);
  await runSql(database.url, `update folds set tick = -1`);
  expect(await deployments()).toEqual(['three', 'two', 'one']);
  // Beneath the folds, without their triggers, as a restored table comes.
  await runSql(
    database.url,
    `set session_replication_role = replica; delete from deployments where deployment_id = 'three'; drop table saved`,
  );
  expect(await deployments()).toEqual(['two', 'one']);
});

test.for([
  ['from alone', 'from=2026-05-04', '/to'],
  ['to alone', 'to=2026-05-04', '/from'],
  ['an empty from', 'from=&to=2026-05-04', '/from'],
  ['a repeated to', 'from=2026-05-04&to=2026-05-05&to=2026-05-06', '/to'],
  ['a range of no length', 'from=2026-05-04&to=2026-05-04', '/from'],
  ['more than 400 days', 'from=2025-01-01&to=2026-05-04', '/from'],
  ['an unknown state', 'state=done', '/state'],
  ['an empty state', 'state=', '/state'],
  ['a state with net', 'state=failure&net=true', '/state'],
  ['another net', 'net=yes', '/net'],
  ['an unknown team', 'teams=none', '/teams'],
  ['a broken cursor', 'cursor=abc', '/cursor'],
] as const)('refuses %s', async ([, query, pointer]) => {
  const answer = await fetch(`${service.url}/api/changes?${query}`);
  expect(answer.status).toBe(422);
  const problem = (await answer.json()) as { errors: { pointer: string }[] };
  expect(problem.errors.map((error) => error.pointer)).toEqual([pointer]);
});
