import { createClient, followControl, followDeployments } from '@shiplog/client';
import type { ComponentEventRecord } from '@shiplog/contract';
import { anEvent, StreamReader, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { runComponent } from '../examples/component.ts';

const id = 'example-component';

async function serviceAwaiting(...expectedComponents: string[]) {
  const database = await testDatabase();
  return testService({
    databaseUrl: database.url,
    config: { reset: { ackTimeoutSeconds: 60, gateMaxTtlSeconds: 60, expectedComponents } },
  });
}

function untilTestEnds(): AbortSignal {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  return ended.signal;
}

/** The reports of one component, in order of arrival. */
async function reportsOf(baseUrl: string) {
  const reader = await StreamReader.open({ url: `${baseUrl}/api/control/events/stream` });
  const all = () => reader.frames.map((frame): ComponentEventRecord => JSON.parse(frame.data));
  return async (eventType: string): Promise<ComponentEventRecord> => {
    const wanted = () => all().find((record) => record.component_id === id && record.event_type === eventType);
    await reader.until(() => wanted() !== undefined);
    const found = wanted();
    // Remove the checked reports, so that each is checked only once.
    reader.frames.splice(0, reader.frames.findIndex((frame) => JSON.parse(frame.data).id === found?.id) + 1);
    if (!found) throw new Error(`no report of type ${eventType}`);
    return found;
  };
}

test('the example component works, drains for a reset, and continues after it', async () => {
  const { url } = await serviceAwaiting(id);
  const client = createClient({ baseUrl: url, keys: testKeys });
  const report = await reportsOf(url);
  const signal = untilTestEnds();
  const ending = new AbortController();
  let began = 0;
  let underWay = 0;
  let release: () => void = () => undefined;
  const errors: Error[] = [];
  const work = async () => {
    began += 1;
    underWay += 1;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await client.appendDeployment({ body: anEvent() });
    underWay -= 1;
  };
  /** Ends each unit of work until something has happened. */
  const releasingUntil = async <Value>(awaited: Promise<Value>): Promise<Value> => {
    for (let isOver = false; !isOver; ) {
      release();
      const turn = new Promise<boolean>((done) => setImmediate(() => done(false)));
      isOver = await Promise.race([awaited.then(() => true), turn]);
    }
    return awaited;
  };
  const component = runComponent({
    baseUrl: url,
    keys: testKeys,
    id,
    work,
    everyMs: 1,
    onError: (error) => errors.push(error),
    signal: AbortSignal.any([signal, ending.signal]),
  });
  expect(await report('status')).toMatchObject({ state: 'running', correlation_id: null });
  const control = followControl({ baseUrl: url, controlKey: testKeys.control, component: 'observer', signal });
  const frame = control.next();
  // A new connection also gets the frames of a running reset, so the order of connecting doesn't matter.
  const { body: accepted } = await client.startReset();
  expect((await frame).value).toMatchObject({ type: 'reset-initiated', id: accepted.correlation_id });
  // The component may begin another unit before it learns of the reset.
  const ack = await releasingUntil(report('reset-ack'));
  expect(ack).toMatchObject({ state: 'paused', correlation_id: accepted.correlation_id });
  expect(underWay).toBe(0);
  const begunAtAck = began;
  expect((await control.next()).value).toMatchObject({ type: 'reset-started' });
  expect((await control.next()).value).toMatchObject({ type: 'reset-completed' });
  expect(await report('status')).toMatchObject({ state: 'running', correlation_id: accepted.correlation_id });
  const events = followDeployments({ baseUrl: url, signal, lastEventId: '00000000-0000-0000-0000-000000000000' });
  const next = events.next();
  await releasingUntil(next);
  expect(began).toBeGreaterThan(begunAtAck);
  ending.abort();
  await releasingUntil(component);
  expect(errors).toEqual([]);
});
