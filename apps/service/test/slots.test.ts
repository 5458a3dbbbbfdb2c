import { storedEvent } from '@shiplog/contract';
import { anEvent, clientOf, postStored, runSql, testDatabase, testKeys, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { appendWithinSlots, NoSlotLeft } from '../src/db/append-deployments.ts';
import { Database } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { type LogGauges, ServiceMetrics } from '../src/metrics.ts';
import { removeEvent } from './support/removing.ts';
import { requestReset } from './support/reset.ts';

async function slotsOf(url: string): Promise<{ noted: number; counted: number; slots: number }> {
  const [row] = await runSql<{ noted: number; counted: number; slots: number }>(
    url,
    `select slots::int as noted, (select count(*)::int from slots) as slots,
       (select count(*)::int from (select distinct service, environment from deployments) places) as counted
     from log_heads where log = 'deployments'`,
  );
  if (!row) throw new Error('no row');
  return row;
}

async function post(url: string, fields: object): Promise<{ status: number; pointers: string[] }> {
  const answer = await fetch(`${url}/api/deployments`, {
    method: 'POST',
    headers: { 'X-Api-Key': testKeys.api },
    body: JSON.stringify(anEvent(fields)),
  });
  const { errors = [] } = (await answer.json()) as { errors?: { pointer: string }[] };
  return { status: answer.status, pointers: errors.map(({ pointer }) => pointer) };
}

test('a post that would add a slot beyond the limit returns 422 at /environment, and existing slots accept more events', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url, config: { slotsMax: 2 } });
  await postStored(url, anEvent({ environment: 'dev' }));
  await postStored(url, anEvent({ environment: 'qa' }));
  expect(await post(url, { environment: 'prod' })).toEqual({ status: 422, pointers: ['/environment'] });
  expect((await post(url, { environment: 'dev', status: 'failure' })).status).toBe(201);
  expect(await slotsOf(database.url)).toEqual({ noted: 2, counted: 2, slots: 2 });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^shiplog_slots 2$/m);
  expect(metrics).toMatch(/^shiplog_slots_max 2$/m);
});

test('several instances together add exactly the maximum number of slots under concurrent posts', async () => {
  const database = await testDatabase();
  const services = await Promise.all(
    [1, 2, 3].map(() => testService({ databaseUrl: database.url, config: { slotsMax: 40 } })),
  );
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, n) => post(services[n % 3]?.url ?? '', { environment: `env-${n % 80}` })),
  );
  expect(await slotsOf(database.url)).toEqual({ noted: 40, counted: 40, slots: 40 });
  expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
  const [row] = await runSql<{ count: number }>(database.url, 'select count(*)::int as count from deployments');
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(row?.count ?? 0);
});

test('only the events of a batch that would exceed the slot limit are rejected', async () => {
  const database = await testDatabase();
  const { appends, stop } = opened(database.url);
  const events = ['dev', 'qa', 'prod', 'dev', 'qa', 'prod'].map((environment) =>
    storedEvent(anEvent({ environment }), undefined),
  );
  const ids = await appendWithinSlots(appends, events, 2);
  expect(ids.map((id) => id instanceof NoSlotLeft)).toEqual([false, false, true, false, false, true]);
  expect(await slotsOf(database.url)).toEqual({ noted: 2, counted: 2, slots: 2 });
  await stop();
});

function opened(url: string) {
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  return { appends: database.appends, stop: () => database.stop() };
}

test('a removal or a reset that deletes the last event of a slot frees the slot', async () => {
  const database = await testDatabase();
  const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
  const { url } = await testService({ databaseUrl: database.url, config: { slotsMax: 1, reset } });
  const first = await postStored(url, anEvent({ environment: 'dev' }));
  const second = await postStored(url, anEvent({ environment: 'dev', status: 'failure' }));
  await removeEvent(url, first.id);
  expect((await post(url, { environment: 'prod' })).status).toBe(422);
  await removeEvent(url, second.id);
  expect(await slotsOf(database.url)).toEqual({ noted: 0, counted: 0, slots: 0 });
  expect((await post(url, { environment: 'prod' })).status).toBe(201);
  await requestReset(url);
  await until(async () => (await clientOf(url).listEnvironments()).body.items.length === 0);
  await until(async () => (await runSql(database.url, `select from reset where state = 'idle'`)).length > 0);
  expect(await slotsOf(database.url)).toEqual({ noted: 0, counted: 0, slots: 0 });
});

test('a log that exceeds a lowered slot limit still accepts events for existing slots', async () => {
  const database = await testDatabase();
  const first = await testService({ databaseUrl: database.url });
  for (const environment of ['dev', 'qa', 'prod']) await postStored(first.url, anEvent({ environment }));
  const { url } = await testService({ databaseUrl: database.url, config: { slotsMax: 1 } });
  expect((await post(url, { environment: 'qa' })).status).toBe(201);
  expect((await post(url, { environment: 'new' })).status).toBe(422);
});

test('concurrent metrics requests share one read of the log', async () => {
  const metrics = new ServiceMetrics();
  const reads: ((gauges: LogGauges) => void)[] = [];
  metrics.readLog = () => new Promise((resolve) => reads.push(resolve));
  const text = () => metrics.http.registry.metrics();
  await text();
  expect(await text()).toMatch(/^shiplog_slots 0$/m);
  expect(reads).toHaveLength(1);
  reads[0]?.({ slots: 7, foldPosition: 0, foldLag: 0, foldLagEvents: 0 });
  await until(async () => (await text()).includes('shiplog_slots 7\n'));
  const later = text();
  await until(async () => reads.length === 2);
  reads[1]?.({ slots: 8, foldPosition: 12, foldLag: 3, foldLagEvents: 5 });
  expect(await later).toMatch(/^shiplog_slots 8$/m);
  expect(await later).toMatch(/^shiplog_fold_lag_seconds 3$/m);
});
