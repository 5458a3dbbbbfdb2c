import type { DeploymentEvent } from '@shiplog/contract';
import { builtInDemoSet } from '@shiplog/scenarios';
import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { type TestMock, testMock } from './support/mock.ts';

const demo = builtInDemoSet();

function ageMinutes(event: DeploymentEvent, now: Date): number {
  return (now.getTime() - Date.parse(event.happened_at)) / 60_000;
}

/** The results of all reads of the log. */
async function reads(mock: TestMock) {
  const { environments, rows } = await mock.matrix();
  return {
    listed: (await mock.events()).map(({ service }) => service),
    services: (await mock.get<{ items: string[] }>('/api/services')).items,
    environments: (await mock.get<{ items: string[] }>('/api/environments')).items,
    columns: environments,
    rows: rows.map(({ service }) => service),
    count: (await mock.status()).event_count,
  };
}

test("the demo data consist of the scenario's events with their ages", async () => {
  const clock = new TestClock();
  const mock = await testMock({ now: () => clock.now() });
  const events = await mock.events();
  const inFileOrder = [...events].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(inFileOrder.map((event) => ageMinutes(event, clock.now()))).toEqual(
    demo.events.map(({ elapsed_minutes }) => elapsed_minutes),
  );
  for (const [index, event] of inFileOrder.entries()) {
    const { elapsed_minutes: _, ...fields } = demo.events[index] ?? {};
    expect(event).toMatchObject(fields);
  }
});

test('hidden demo data are omitted from every read, and are unchanged when shown again', async () => {
  const mock = await testMock();
  const before = await mock.events();
  const [first] = before;
  await mock.post('/_mock/demo', { enabled: false });
  const nothing = { listed: [], services: [], environments: [], columns: [], rows: [], count: 0 };
  expect(await reads(mock)).toEqual(nothing);
  expect((await mock.send(`/api/deployments/${first?.id}`)).status).toBe(404);
  await mock.post('/_mock/demo', { enabled: true });
  expect(await mock.events()).toEqual(before);
  expect((await mock.send(`/api/deployments/${first?.id}`)).body).toEqual(first);
});

test('posted events are visible whether the demo data are hidden or not', async () => {
  const mock = await testMock();
  await mock.post('/_mock/demo', { enabled: false });
  const own = await mock.append({ service: 'my-service', environment: 'mine' });
  expect(await reads(mock)).toEqual({
    listed: ['my-service'],
    services: ['my-service'],
    environments: ['mine'],
    columns: ['mine'],
    rows: ['my-service'],
    count: 1,
  });
  expect((await mock.send(`/api/deployments/${own.id}`)).body).toEqual(own);
  await mock.post('/_mock/demo', { enabled: true });
  expect((await mock.status()).event_count).toBe(48);
});

test('hidden demo data do not affect a slot', async () => {
  const mock = await testMock();
  const [place] = demo.events;
  const own = await mock.append({
    service: place?.service ?? '',
    environment: place?.environment ?? '',
    status: 'in-progress',
    happened_at: '2001-01-01T00:00:00Z',
  });
  const slot = async () => {
    const row = (await mock.matrix()).rows.find(({ service }) => service === own.service);
    return row?.slots[own.environment];
  };
  expect((await slot())?.current).not.toEqual(own);
  await mock.post('/_mock/demo', { enabled: false });
  expect(await slot()).toEqual({ current: own });
});

test.each(['/_mock/reset', '/_mock/demo/reset'])('%s sets new times and ids in the demo data', async (path) => {
  const clock = new TestClock();
  const mock = await testMock({ now: () => clock.now() });
  const before = await mock.events();
  const posted = await mock.append();
  clock.advance(90 * 60_000);
  await mock.post(path);
  const after = await mock.events();
  expect(after.map((event) => ageMinutes(event, clock.now()))).toEqual(
    before.map((event) => ageMinutes(event, clock.now()) - 90),
  );
  const timeless = ({ id: _, happened_at: __, ...rest }: DeploymentEvent) => rest;
  expect(after.map(timeless)).toEqual(before.map(timeless));
  for (const { id } of after) expect(id > posted.id).toBe(true);
});

test('a reset does not publish the demo data on streams', async () => {
  const mock = await testMock();
  const streams = [await mock.stream('/api/events/stream'), await mock.stream('/_mock/stream')];
  await mock.post('/_mock/reset');
  const own = await mock.append();
  for (const stream of streams) {
    await stream.take(1);
    expect(stream.ids).toEqual([own.id]);
  }
});
