import { followControl } from '@shiplog/client';
import { type ControlStreamEvent, nilId } from '@shiplog/contract';
import { clientOf, StreamReader, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { demoSetArrives } from './support/demo-set.ts';
import { driverOf } from './support/driver.ts';

/** A service that waits an hour for the driver's ack, and a driver that uses this service. */
async function pair() {
  const database = await testDatabase();
  const service = await testService({
    databaseUrl: database.url,
    config: { reset: { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: ['demo-driver'] } },
  });
  return { service, driver: await driverOf(service.url), client: clientOf(service.url) };
}

test('the whole demo set arrives on the deployment stream in order', async () => {
  const { service, driver } = await pair();
  await demoSetArrives(driver, service.url);
});

test('in a reset through the driver, its ack ends the wait; then the log is empty, and the driver reports running', async () => {
  const { service, driver, client } = await pair();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  await driver.post('/demo/ingest', { dataset: 'random', delay_ms: 1 });
  const posted = await driver.feed('posted');
  await posted.take(1);
  const control = await driver.feed('control');
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: true, http_status: 204 });
  const told: ControlStreamEvent[] = [];
  const observer = { baseUrl: service.url, controlKey: testKeys.control, component: 'observer', lastEventId: nilId };
  for await (const frame of followControl({ ...observer, signal: ending.signal })) {
    told.push(frame);
    if (frame.type === 'reset-completed') break;
  }
  const [initiated, started] = told;
  expect(told.map(({ type }) => type)).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
  expect(Date.parse(started?.occurred_at ?? '') - Date.parse(initiated?.occurred_at ?? '')).toBeLessThan(10_000);
  expect((await client.listDeployments()).body.items).toEqual([]);
  await control.take(3);
  expect(control.ids).toEqual(told.map(({ id }) => id));
  const reset = initiated?.id ?? '';
  const reported = async () =>
    (await client.listComponentEvents({ query: { correlation_id: reset } })).body.items.map(
      ({ event_type, state }) => `${event_type} ${state}`,
    );
  const reports = await StreamReader.open({
    url: `${service.url}/api/control/events/stream`,
    headers: { 'last-event-id': nilId },
  });
  await reports.until(({ text }) => text.split(reset).length === 3);
  expect(await reported()).toEqual(['status running', 'reset-ack paused']);
  expect(await driver.status()).toMatchObject({ scenario: 'random', state: 'idle', reset_state: 'idle' });
  expect((await driver.post('/demo/ingest')).status).toBe(200);
});

test('a reset while idle is acked once with its id', async () => {
  const { driver, client } = await pair();
  const feed = await driver.feed('control');
  const { body } = await client.startReset();
  await feed.until(({ frames }) => frames.some(({ event }) => event === 'reset-completed'));
  const acks = await client.listComponentEvents({ query: { event_type: 'reset-ack' } });
  expect(acks.body.items.map(({ correlation_id }) => correlation_id)).toEqual([body.correlation_id]);
});
