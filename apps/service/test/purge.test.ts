import { nilId, streams } from '@shiplog/contract';
import { clientOf, runSql, StreamReader, testKeys, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { leverDatabase } from './support/levers.ts';
import { expectResets, openControl, sendAck, startReset, untilFrame } from './support/reset.ts';

const never = 24 * 3_600_000;
const unpurged = { firstMs: never, resetPollMs: 50, pollMs: 50 };
const purgedAllTheTime = { ...unpurged, firstMs: 0, pruneEveryMs: never, purgeEveryMs: 10 };
const nobody = { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: [] };

/** The number of rows in the two purged logs. */
async function kept(databaseUrl: string): Promise<{ frames: number; reports: number }> {
  const [row] = await runSql<{ frames: number; reports: number }>(
    databaseUrl,
    `select (select count(*) from control_frames)::int as frames, (select count(*) from component_reports)::int as reports`,
  );
  return row ?? { frames: 0, reports: 0 };
}

/** Resumes a purged stream from an id. Returns how it resumed and what it sent. */
async function resumed(url: string, name: 'control' | 'components', from: string, count: number) {
  const stream = await StreamReader.open({
    url: `${url}${streams[name].path}`,
    headers: { 'last-event-id': from, 'x-control-api-key': testKeys.control },
  });
  await stream.take(count);
  return { resume: stream.headers['x-stream-resume'], ids: stream.ids };
}

async function report(url: string, component: string): Promise<string> {
  await sendAck(url, { component, correlationId: undefined, eventType: 'status' });
  const { items } = (await clientOf(url).listComponentEvents({ query: { limit: 1 } })).body;
  return items[0]?.id ?? '';
}

async function aReset(url: string): Promise<string[]> {
  const control = await openControl(url);
  await startReset(url);
  await untilFrame(control, 'reset-completed');
  return control.ids;
}

test('rows older than two hours are neither replayed nor listed, even before they are purged', async () => {
  const database = await leverDatabase();
  const { url } = await testService({ databaseUrl: database.url, config: { reset: nobody }, times: unpurged });
  await database.offsetClock(-3);
  const old = { frames: await aReset(url), reports: [await report(url, 'a'), await report(url, 'b')] };
  await database.offsetClock(0);
  const recent = { frames: await aReset(url), reports: [await report(url, 'a'), await report(url, 'c')] };
  const expectRecentOnly = async () => {
    for (const [name, before, after] of [
      ['control', old.frames, recent.frames],
      ['components', old.reports, recent.reports],
    ] as const) {
      const from = async (id = '') => resumed(url, name, id, after.length);
      expect(await from(nilId)).toEqual({ resume: 'truncated', ids: after });
      expect(await from(before[0])).toEqual({ resume: 'truncated', ids: after });
      // No rows are missing after the last purged row.
      expect(await from(before.at(-1))).toEqual({ resume: 'replay', ids: after });
      expect(await resumed(url, name, after[0] ?? '', after.length - 1)).toEqual({
        resume: 'replay',
        ids: after.slice(1),
      });
    }
    const { items, next_cursor } = (await clientOf(url).listComponentEvents()).body;
    expect({ ids: items.map(({ id }) => id), next_cursor }).toEqual({
      ids: recent.reports.toReversed(),
      next_cursor: null,
    });
    expect((await clientOf(url).listComponentEvents({ query: { component_id: 'b' } })).body.items).toEqual([]);
  };
  expect(await kept(database.url)).toEqual({ frames: 6, reports: 4 });
  await expectRecentOnly();
  await testService({ databaseUrl: database.url, times: purgedAllTheTime });
  await until(async () => (await kept(database.url)).frames === 3 && (await kept(database.url)).reports === 2);
  await expectRecentOnly();
});

test('a row is replayed for exactly two hours, whenever the purge runs', async () => {
  const database = await leverDatabase();
  const { url } = await testService({ databaseUrl: database.url, config: { reset: nobody }, times: unpurged });
  await database.offsetClock(-2 + 30 / 3600);
  const frames = await aReset(url);
  const id = await report(url, 'a');
  await database.offsetClock(0);
  const purging = await testService({ databaseUrl: database.url, times: purgedAllTheTime });
  const client = clientOf(purging.url);
  expect(await resumed(url, 'control', nilId, 3)).toEqual({ resume: 'replay', ids: frames });
  expect(await resumed(url, 'components', nilId, 1)).toEqual({ resume: 'replay', ids: [id] });
  expect((await client.listComponentEvents()).body.items.map((item) => item.id)).toEqual([id]);
  expect(await kept(database.url)).toEqual({ frames: 3, reports: 1 });
  await database.offsetClock(31 / 3600);
  expect((await client.listComponentEvents()).body.items).toEqual([]);
  expect(await resumed(url, 'components', nilId, 0)).toEqual({ resume: 'truncated', ids: [] });
  await until(async () => (await kept(database.url)).frames === 0 && (await kept(database.url)).reports === 0);
  // The service knows the last id even if no row is left.
  expect(await resumed(url, 'components', nilId, 0)).toEqual({ resume: 'truncated', ids: [] });
  expect(await resumed(url, 'components', id, 0)).toEqual({ resume: 'replay', ids: [] });
});

test('a purge during a reset removes neither its frames nor its acks', async () => {
  const database = await leverDatabase();
  const reset = { ...nobody, expectedComponents: ['one', 'two'] };
  const { url } = await testService({ databaseUrl: database.url, config: { reset }, times: unpurged });
  await database.offsetClock(-3);
  const earlier = await startReset(url);
  for (const component of ['one', 'two']) await sendAck(url, { component, correlationId: earlier });
  await untilFrame(await openControl(url, nilId), 'reset-completed');
  await database.offsetClock(0);
  const control = await openControl(url);
  const id = await startReset(url);
  await sendAck(url, { component: 'one', correlationId: id });
  expect(await kept(database.url)).toEqual({ frames: 4, reports: 3 });
  const purging = { databaseUrl: database.url, config: { reset }, times: purgedAllTheTime };
  const others = [await testService(purging), await testService(purging)];
  await until(async () => (await kept(database.url)).frames === 1 && (await kept(database.url)).reports === 1);
  const fresh = await Promise.all(others.map((other) => openControl(other.url)));
  await sendAck(url, { component: 'two', correlationId: id });
  for (const reader of [control, ...fresh]) {
    await untilFrame(reader, 'reset-completed');
    expectResets(reader, [{ id, end: 'reset-completed' }]);
  }
  expect(await kept(database.url)).toEqual({ frames: 3, reports: 2 });
});
