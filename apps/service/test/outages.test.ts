import { anEvent, clientOf, postStored, runSql, testDatabase, testKeys, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { accessService, keyEntries, keys, send } from './support/access.ts';

const row = (outage_id: string, more: object = {}) => ({
  ...{ source: 'pager', outage_id, state: 'opened' as const, happened_at: new Date().toISOString() },
  ...more,
});
const never = 24 * 3_600_000;

test('a named key needs the right to report outages', async () => {
  const { url, write } = await accessService(`keys:${keyEntries}`);
  const post = () =>
    send(url, '/api/outages', { 'X-Api-Key': keys.payments }, { method: 'POST', body: JSON.stringify(row('a')) });
  expect(await post()).toMatchObject({ status: 403, body: { asked: { outage: true } } });
  write(`keys:${keyEntries.replace('report: ["relay-*"]', 'outage: true')}`);
  await until(async () => (await post()).status === 201);
});

test('a reset clears outages, and none is accepted while it runs', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  await client.appendOutage({ body: row('a') });
  await runSql(
    databaseUrl,
    `update log_heads set gate_until = clock_timestamp() + interval '1 hour' where log = 'deployments'`,
  );
  const refused = await send(
    url,
    '/api/outages',
    { 'X-Api-Key': testKeys.api },
    { method: 'POST', body: JSON.stringify(row('b')) },
  );
  expect(refused).toMatchObject({ status: 503, body: { type: '/problems/reset-in-progress' } });
  await runSql(databaseUrl, `update log_heads set gate_until = null where log = 'deployments'`);
  await client.startReset({});
  await until(async () => (await client.listOutages({})).body.items.length === 0);
  expect(await runSql(databaseUrl, 'select from outage_rows')).toEqual([]);
});

test('an outage is removed with its rows when its latest row is older than the retention period', async () => {
  const { url: databaseUrl } = await testDatabase();
  const first = await testService({ databaseUrl });
  const old = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await clientOf(first.url).appendOutage({ body: row('gone', { happened_at: old(92) }) });
  await clientOf(first.url).appendOutage({ body: row('stays', { happened_at: old(92) }) });
  await clientOf(first.url).appendOutage({ body: row('stays', { happened_at: old(89), state: 'resolved' }) });
  const times = { firstMs: 0, pruneEveryMs: never, purgeEveryMs: never };
  const second = await testService({ databaseUrl, config: { historyRetentionDays: 90 }, times });
  const listed = async () => (await clientOf(second.url).listOutages({})).body.items.map(({ outage_id }) => outage_id);
  await until(async () => (await listed()).join() === 'stays');
  expect(await runSql(databaseUrl, `select from outage_rows where outage_id = 'gone'`)).toEqual([]);
});

test('concurrent posts about one outage all count, and each is announced', async () => {
  const { url: databaseUrl } = await testDatabase();
  const [one, other] = [await testService({ databaseUrl }), await testService({ databaseUrl })];
  const at = (minute: number) => new Date(Date.now() - (60 - minute) * 60_000).toISOString();
  await postStored(one.url, anEvent({}));
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      clientOf([one, other][n % 2]?.url ?? '').appendOutage({
        body: row('a', { happened_at: at(n), state: n % 2 === 0 ? 'opened' : 'resolved', title: `t${n}` }),
      }),
    ),
  );
  const { body } = await clientOf(one.url).getOutage({ params: { source: 'pager', outage_id: 'a' } });
  expect([body.rows.length, body.title, body.state, Math.round(body.minutes ?? 0)]).toEqual([
    20,
    't19',
    'resolved',
    19,
  ]);
  const reports = await runSql(databaseUrl, `select from component_reports where event_type = 'outage-changed'`);
  expect(reports).toHaveLength(20);
});
