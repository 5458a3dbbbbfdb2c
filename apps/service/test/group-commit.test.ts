import { anEvent, isWaitedFor, openTransaction, runSql, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { post } from './support/posting.ts';
import { storedEvents } from './support/stored.ts';

test('a row that the database rejects does not fail other posts in its batch', async () => {
  const database = await testDatabase();
  await runSql(database.url, `alter table deployments add check (service <> 'refused')`);
  const { url } = await testService({ databaseUrl: database.url });
  const holder = await openTransaction(database.url, 'select from log_heads for update');
  // The first post is a batch of its own. Posts that arrive while it waits form the next batch.
  const first = post(url, anEvent({ service: 'first' }));
  await until(() => isWaitedFor(database.url, holder));
  const services = ['billing', 'refused', 'catalogue', 'delivery', 'refused'];
  const next = services.map((service) => post(url, anEvent({ service })));
  await fetch(`${url}/healthz`);
  await holder.query('commit');
  expect((await first).status).toBe(201);
  const statuses = (await Promise.all(next)).map(({ status }) => status);
  expect(statuses).toEqual(services.map((service) => (service === 'refused' ? 500 : 201)));
  const stored = (await storedEvents(database.url)).map(({ service }) => service);
  expect(stored.sort()).toEqual(['billing', 'catalogue', 'delivery', 'first']);
});
