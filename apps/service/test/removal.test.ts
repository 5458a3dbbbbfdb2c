import {
  anEvent,
  clientOf,
  countWaiting,
  isWaitedFor,
  NetworkProxy,
  openTransaction,
  postStored,
  runSql,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { pruneEvents } from '../src/db/retention.ts';
import { Servers } from '../src/db/servers.ts';
import { expectDerived } from './support/derived.ts';
import { removeEvent } from './support/removing.ts';
import { LogLines, requestReset } from './support/reset.ts';
import { countStored, storedEvents } from './support/stored.ts';

const promptReset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
const lockOfLog = `select from log_heads where log = 'deployments' for update`;
const at = (second: number) => ({ happened_at: `2026-05-04T09:12:0${second}Z` });

test('an event that waits to be stored while an older event of its slot is removed becomes the latest of the slot', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url });
  const removed = await postStored(url, anEvent({ ...at(1), version: '1', sha: 'ab' }));
  const holder = await openTransaction(database.url, lockOfLog);
  const late = postStored(url, anEvent({ ...at(2), version: '1', sha: 'ab' }));
  await until(() => isWaitedFor(database.url, holder));
  const removal = removeEvent(url, removed.id);
  await until(async () => (await countWaiting(database.url)) === 2);
  await holder.query('commit');
  expect(await removal).toBe(204);
  expect(await storedEvents(database.url)).toEqual([await late]);
  await expectDerived(database.url);
});

test('an older event that is stored while the latest event of its slot is removed becomes the latest of the slot', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url });
  const removed = await postStored(url, anEvent(at(2)));
  const holder = await openTransaction(database.url, lockOfLog);
  const removal = removeEvent(url, removed.id);
  await until(() => isWaitedFor(database.url, holder));
  const late = postStored(url, anEvent(at(1)));
  await until(async () => (await countWaiting(database.url)) === 2);
  await holder.query('commit');
  expect(await removal).toBe(204);
  expect(await storedEvents(database.url)).toEqual([await late]);
  await expectDerived(database.url);
});

test('concurrent removals of one event return 204 once and otherwise 404, and record one removal', async () => {
  const database = await testDatabase();
  const services = await Promise.all([1, 2].map(() => testService({ databaseUrl: database.url })));
  const { id } = await postStored(services[0]?.url ?? '', anEvent());
  const answers = await Promise.all([0, 1, 0, 1].map((index) => removeEvent(services[index]?.url ?? '', id)));
  expect(answers.toSorted()).toEqual([204, 404, 404, 404]);
  expect(await runSql(database.url, 'select event_id from removals')).toEqual([{ event_id: id }]);
  await expectDerived(database.url);
});

test('the removal of an event that is being pruned returns 404, and the counts are reduced once', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url });
  const old = await postStored(url, anEvent({ happened_at: '2000-01-01T00:00:00Z' }));
  await postStored(url, anEvent());
  const holder = await openTransaction(database.url, lockOfLog);
  const writer = new Database(new Servers([{ connectionString: database.url }]), () => undefined);
  const pruned = writer.writes.session((session) => pruneEvents(session, { retentionDays: 365, rowsMax: 10 }));
  await until(() => isWaitedFor(database.url, holder));
  const removal = removeEvent(url, old.id);
  await until(async () => (await countWaiting(database.url)) === 2);
  await holder.query('commit');
  expect(await pruned).toBe(1);
  expect(await removal).toBe(404);
  expect(await runSql(database.url, 'select from removals')).toEqual([]);
  await expectDerived(database.url);
  await writer.stop();
});

test('a removal that waits while a reset clears the log returns 204 or 404 and leaves no data behind', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url, config: { reset: promptReset } });
  const event = await postStored(url, anEvent());
  await postStored(url, anEvent({ happened_at: '2026-05-04T09:12:00Z' }));
  const holder = await openTransaction(database.url, lockOfLog);
  await requestReset(url);
  await until(() => isWaitedFor(database.url, holder));
  const removal = removeEvent(url, event.id);
  await until(async () => (await countWaiting(database.url)) >= 2);
  await holder.query('commit');
  const status = await removal;
  await until(async () => (await runSql(database.url, `select from reset where state = 'idle'`)).length > 0);
  expect([204, 404]).toContain(status);
  expect(await runSql(database.url, 'select from removals')).toHaveLength(status === 204 ? 1 : 0);
  expect(await countStored(database.url)).toBe(0);
  await expectDerived(database.url);
});

test("removals during posts don't affect other events, and the derived tables equal a plain reduction of the log", async () => {
  const database = await testDatabase();
  const services = await Promise.all([1, 2].map(() => testService({ databaseUrl: database.url })));
  const urlOf = (n: number) => services[n % 2]?.url ?? '';
  const clients = Array.from({ length: 8 }, async (_, client) => {
    const kept = [];
    for (let n = 0; n < 12; n++) {
      const place = { service: `service-${n % 2}`, version: `1.${n % 3}`, ...at((client + n) % 5) };
      const event = await postStored(urlOf(client), anEvent(place));
      if (n % 3 > 0) kept.push(event.id);
      else expect(await removeEvent(urlOf(client + 1), event.id)).toBe(204);
    }
    return kept;
  });
  const kept = (await Promise.all(clients)).flat();
  expect((await storedEvents(database.url)).map(({ id }) => id)).toEqual(kept.toSorted());
  await expectDerived(database.url);
});

test('a stream resumed after a removal does not get the removed event, even if other streams have just received it', async () => {
  const database = await testDatabase();
  const services = await Promise.all([1, 2].map(() => testService({ databaseUrl: database.url })));
  const [url = '', other = ''] = services.map((service) => `${service.url}/api/events/stream`);
  const first = await postStored(services[0]?.url ?? '', anEvent());
  const live = await Promise.all([StreamReader.open({ url }), StreamReader.open({ url: other })]);
  const removed = await postStored(services[0]?.url ?? '', anEvent());
  const last = await postStored(services[0]?.url ?? '', anEvent());
  for (const stream of live) await stream.take(2);
  expect(await removeEvent(services[0]?.url ?? '', removed.id)).toBe(204);
  for (const target of [url, other]) {
    const resumed = await StreamReader.open({ url: target, headers: { 'last-event-id': first.id } });
    expect(resumed.headers['x-stream-resume']).toBe('replay');
    expect((await resumed.take(1))[0]?.id).toBe(last.id);
  }
});

test('the removal of the last event is not reported as a loss when connections are cut', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const log = new LogLines();
  const { url } = await testService({ databaseUrl: proxy.url, log });
  await postStored(url, anEvent());
  const removed = await postStored(url, anEvent());
  expect(await removeEvent(url, removed.id)).toBe(204);
  await runSql(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await log.reaches('the listener lost its connection', 1);
  await until(
    async () =>
      (
        await clientOf(url)
          .getReadiness()
          .catch(() => undefined)
      )?.status === 200,
  );
  await StreamReader.open({ url: `${url}/api/events/stream`, headers: { 'last-event-id': removed.id } });
  expect(log.text).not.toContain('the log went back');
});
