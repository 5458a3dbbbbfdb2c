import type { OutageRequest } from '@shiplog/contract';
import { anEvent, clientOf, openTransaction, postStored, runSql, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { removeEvent } from './support/removing.ts';

const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const success = { service: 'billing', environment: 'prod', status: 'success', happened_at: at(30) } as const;

async function withOutage(cause: Partial<OutageRequest>) {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  const row = { source: 'pager', outage_id: 'o-1', state: 'opened', happened_at: at(28) } as const;
  await client.appendOutage({ body: { ...row, services: ['billing'], ...cause } });
  const linkedIds = async () => {
    const { items } = (await client.getEvidence({ params: { figure: 'time_to_detect' }, query: { window: '7d' } }))
      .body;
    return items.flatMap(({ event_ids }) => event_ids);
  };
  const post = async (more: object = {}) =>
    (await postStored(url, anEvent({ ...success, deployment_id: 'd-1', ...more }))).id;
  return { url, client, databaseUrl, linkedIds, post };
}

test.each<[what: string, cause: Partial<OutageRequest>, event: object]>([
  ['a success before the outage in its place', {}, {}],
  [
    'the deployment that it names',
    { caused_by: { deployment_id: 'd-7' } },
    { deployment_id: 'd-7', happened_at: at(2) },
  ],
  ['the version that it names', { caused_by: { service: 'billing', version: '2.0' } }, { version: '2.0' }],
  ['the sha that it names', { caused_by: { service: 'billing', version: 'abc1234' } }, { sha: 'abc1234' }],
  [
    'a version with the sha that it names',
    { caused_by: { service: 'billing', version: 'abc1234' } },
    { version: '2.0', sha: 'abc1234' },
  ],
  ['the first event in an environment that counts as production', {}, { environment: 'PROD' }],
])('figures that were cached before it link %s', async (_, cause, event) => {
  const { linkedIds, post } = await withOutage(cause);
  await post({ service: 'search', deployment_id: 'd-0' });
  expect(await linkedIds()).toEqual([]);
  await post({ service: 'search', deployment_id: 'd-2' });
  const id = await post(event);
  expect(await linkedIds()).toEqual([id]);
});

test('figures that were cached no longer link an event that was removed', async () => {
  const { url, linkedIds, post } = await withOutage({});
  const first = await post({ happened_at: at(29.5) });
  const second = await post({ deployment_id: 'd-2', happened_at: at(29) });
  await post({ service: 'search', deployment_id: 'd-3' });
  expect(await linkedIds()).toEqual([second]);
  expect(await removeEvent(url, second)).toBe(204);
  expect(await linkedIds()).toEqual([first]);
});

test('figures that were cached no longer link what a restored backup does not have', async () => {
  const { databaseUrl, linkedIds, post } = await withOutage({});
  await post({ service: 'search', deployment_id: 'd-3' });
  await linkedIds();
  await runSql(databaseUrl, 'create table backup as select * from folds');
  const lost = await post();
  expect(await linkedIds()).toEqual([lost]);
  // As after a restore: the event is gone, and the folds are as they were before it.
  await runSql(databaseUrl, 'alter table deployments disable trigger user');
  await runSql(databaseUrl, `delete from deployments where id = '${lost}'`);
  await runSql(databaseUrl, `delete from latest_deployments where id = '${lost}'`);
  await runSql(databaseUrl, 'alter table deployments enable trigger user');
  await runSql(databaseUrl, 'update folds set (tick, last_id, epoch) = (select tick, last_id, epoch from backup)');
  await post({ service: 'search', deployment_id: 'd-4' });
  expect(await linkedIds()).toEqual([]);
});

test('a list of outages links a release that is not in the folds yet', async () => {
  const { client, databaseUrl, post } = await withOutage({ caused_by: { service: 'billing', version: '2.0' } });
  await openTransaction(databaseUrl, 'lock table folds in exclusive mode');
  const id = await post({ version: '2.0' });
  const { items } = (await client.listOutages({})).body;
  expect(items.flatMap(({ links }) => links)).toMatchObject([{ event_id: id }]);
});

test('figures about outages count successes of any century', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl, config: { historyRetentionDays: 100_000 } });
  await postStored(url, anEvent({ ...success, happened_at: '1850-05-04T12:00:00Z' }));
  const query = { from: '1850-05-01T00:00:00Z', to: '1850-05-06T00:00:00Z' };
  const { body } = await clientOf(url).getOutageFigures({ query });
  expect(body.change_failure_rate_observed).toMatchObject({ value: 0, sparkline: [0, 0, 0, 0, 0] });
});
