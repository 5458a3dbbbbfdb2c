import {
  anEvent,
  clientOf,
  countWaiting,
  openTransaction,
  runSql,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';

test('requests that arrive while a matrix is read share the next read', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  await client.appendDeployment({ body: anEvent({ service: 'one' }) });
  const holder = await openTransaction(databaseUrl, 'lock table latest_deployments in access exclusive mode');
  const first = client.getMatrix();
  await until(async () => (await countWaiting(databaseUrl)) === 1);
  const later = Array.from({ length: 5 }, () => client.getMatrix());
  const other = client.getMatrix({ query: { service: 'one' } });
  // The matrix of a single service is a different request and is read at the same time.
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  await holder.query('rollback');
  const made = (await Promise.all(later)).map(({ body }) => body.generated_at);
  // One request may have arrived after the first read.
  expect(new Set(made).size).toBeLessThanOrEqual(2);
  const firstMade = (await first).body.generated_at;
  for (const moment of made) expect(Date.parse(moment)).toBeGreaterThan(Date.parse(firstMade));
  expect((await other).body.rows).toHaveLength(1);
});

test('a client with the board of a log that was truncated gets the empty board', async () => {
  const { url: databaseUrl } = await testDatabase();
  const client = clientOf((await testService({ databaseUrl })).url);
  await client.appendDeployment({ body: anEvent() });
  const { headers } = await client.getMatrix();
  const again = () => client.getMatrix({ headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  expect((await again()).status).toBe(304);
  await runSql(databaseUrl, 'truncate deployments, latest_deployments');
  expect((await again()).body).toMatchObject({ environments: [], rows: [] });
});
