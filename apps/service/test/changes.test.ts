import { type Client, createClient } from '@shiplog/client';
import type { Change } from '@shiplog/contract';
import {
  cloneDatabase,
  emptyLog,
  type RunningService,
  runService,
  runSql,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

test('a log that is truncated, or replaced by an older one, is detected', async () => {
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
  // Bypasses the folds and their triggers, as restoring a table does.
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
