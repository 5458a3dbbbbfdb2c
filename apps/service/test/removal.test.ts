import {
  anEvent,
  clientOf,
  countWaiting,
  fileService,
  isWaitedFor,
  NetworkProxy,
  openTransaction,
  postStored,
  runSql,
  StreamReader,
  storedBeneath,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { beforeEach, expect, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { pruneEvents } from '../src/db/retention.ts';
import { Servers } from '../src/db/servers.ts';
import { expectDerived } from './support/derived.ts';
import { removeEvent } from './support/removing.ts';
import { LogLines, requestReset } from './support/reset.ts';
import { countStored, storedEvents } from './support/stored.ts';

const promptReset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
const lockOfLog = `select from log_heads where log = 'deployments' for update`;
const log = fileService(2);
beforeEach(async () => void (await runSql(log.databaseUrl, 'delete from removals')));
const at = (second: number) => ({ happened_at: `2026-05-04T09:12:0${second}Z` });

test('an event that waits to be stored while an older event of its slot is removed becomes the latest of the slot', async () => {
  const { url, databaseUrl } = log;
  const removed = await postStored(url, anEvent({ ...at(1), version: '1', sha: 'ab' }));
  const holder = await openTransaction(databaseUrl, lockOfLog);
  const late = postStored(url, anEvent({ ...at(2), version: '1', sha: 'ab' }));
  await until(() => isWaitedFor(databaseUrl, holder));
  const removal = removeEvent(url, removed.id);
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  await holder.query('commit');
  expect(await removal).toBe(204);
  expect(await storedEvents(databaseUrl)).toEqual([await late]);
  await expectDerived(databaseUrl);
});

test('an older event that is stored while the latest event of its slot is removed becomes the latest of the slot', async () => {
  const { url, databaseUrl } = log;
  const removed = await postStored(url, anEvent(at(2)));
  const holder = await openTransaction(databaseUrl, lockOfLog);
  const removal = removeEvent(url, removed.id);
  await until(() => isWaitedFor(databaseUrl, holder));
  const late = postStored(url, anEvent(at(1)));
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  await holder.query('commit');
  expect(await removal).toBe(204);
  expect(await storedEvents(databaseUrl)).toEqual([await late]);
  await expectDerived(databaseUrl);
});

test('if one event is removed several times at once, one request gets 204, the others 404, and one removal is recorded', async () => {
  const { url, otherUrl, databaseUrl } = log;
  const { id } = await postStored(url, anEvent());
  const answers = await Promise.all([url, otherUrl, url, otherUrl].map((each) => removeEvent(each, id)));
  expect(answers.toSorted()).toEqual([204, 404, 404, 404]);
  expect(await runSql(databaseUrl, 'select event_id from removals')).toEqual([{ event_id: id }]);
  await expectDerived(databaseUrl);
});

test('an event that a restored backup brings back can be removed again, and its last removal is recorded', async () => {
  const { url, databaseUrl } = log;
  const { id } = await postStored(url, anEvent());
  await runSql(databaseUrl, 'create table backup as select * from deployments');
  expect(await removeEvent(url, id, 'first')).toBe(204);
  await runSql(databaseUrl, 'insert into deployments select * from backup');
  await runSql(databaseUrl, 'drop table backup');
  await runSql(databaseUrl, storedBeneath);
  expect(await removeEvent(url, id, 'second')).toBe(204);
  const [record, ...others] = await runSql<{ record: string }>(databaseUrl, 'select record from removals');
  expect(others).toEqual([]);
  expect(JSON.parse(record?.record ?? '')).toMatchObject({ event: { id }, reason: 'second' });
  await expectDerived(databaseUrl);
});

test('the removal of an event that is pruned meanwhile gets 404, and the counts are reduced once', async () => {
  const { url, databaseUrl } = log;
  const old = await postStored(url, anEvent({ happened_at: '2000-01-01T00:00:00Z' }));
  await postStored(url, anEvent());
  const holder = await openTransaction(databaseUrl, lockOfLog);
  const writer = new Database(new Servers([{ connectionString: databaseUrl }]), () => undefined);
  const pruned = writer.writes.session((session) => pruneEvents(session, { retentionDays: 365, rowsMax: 10 }));
  await until(() => isWaitedFor(databaseUrl, holder));
  const removal = removeEvent(url, old.id);
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  await holder.query('commit');
  expect(await pruned).toBe(1);
  expect(await removal).toBe(404);
  expect(await runSql(databaseUrl, 'select from removals')).toEqual([]);
  await expectDerived(databaseUrl);
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

test('removals during posts keep every other event, and the derived tables equal a plain reduction of the log', async () => {
  const { url, otherUrl, databaseUrl } = log;
  const urlOf = (n: number) => (n % 2 ? otherUrl : url);
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
  expect((await storedEvents(databaseUrl)).map(({ id }) => id)).toEqual(kept.toSorted());
  await expectDerived(databaseUrl);
});

test('a stream resumed after a removal does not get the removed event, even if other streams have just received it', async () => {
  const { url, otherUrl } = log;
  const streams = [`${url}/api/events/stream`, `${otherUrl}/api/events/stream`];
  const first = await postStored(url, anEvent());
  const live = await Promise.all(streams.map((target) => StreamReader.open({ url: target })));
  const removed = await postStored(url, anEvent());
  const last = await postStored(url, anEvent());
  for (const stream of live) await stream.take(2);
  expect(await removeEvent(url, removed.id)).toBe(204);
  for (const target of streams) {
    const resumed = await StreamReader.open({ url: target, headers: { 'last-event-id': first.id } });
    expect(resumed.headers['x-stream-resume']).toBe('replay');
    expect((await resumed.take(1))[0]?.id).toBe(last.id);
  }
});

test('the removal of the last event is not reported as a loss when connections are cut', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const lines = new LogLines();
  const { url } = await testService({ databaseUrl: proxy.url, log: lines });
  await postStored(url, anEvent());
  const removed = await postStored(url, anEvent());
  expect(await removeEvent(url, removed.id)).toBe(204);
  await runSql(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await lines.reaches('the listener lost its connection', 1);
  await until(
    async () =>
      (
        await clientOf(url)
          .getReadiness()
          .catch(() => undefined)
      )?.status === 200,
  );
  await StreamReader.open({ url: `${url}/api/events/stream`, headers: { 'last-event-id': removed.id } });
  expect(lines.text).not.toContain('the log went back');
});
