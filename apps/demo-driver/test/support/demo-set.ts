import { type DeploymentEvent, streams } from '@shiplog/contract';
import { builtInDemoSet } from '@shiplog/scenarios';
import { StreamReader } from '@shiplog/testing';
import { expect } from 'vitest';
import type { TestDriver } from './driver.ts';

/** Runs the demo set against a service or a mock; each event must arrive on its stream and on the driver's. */
export async function demoSetArrives(driver: TestDriver, url: string): Promise<void> {
  const stream = await StreamReader.open({ url: `${url}${streams.deployments.path}` });
  const passed = await driver.feed('deployments');
  await driver.post('/demo/ingest');
  const { events } = builtInDemoSet();
  const arrived = (await stream.take(events.length)).map(({ data }): DeploymentEvent => JSON.parse(data));
  expect(arrived.map(({ id: _id, happened_at: _at, ...fields }) => fields)).toEqual(
    events.map(({ elapsed_minutes: _, ...fields }) => ({ ...fields, progress_reporter: 'demo-driver/demo' })),
  );
  for (const [index, event] of arrived.entries()) {
    const age = (Date.now() - Date.parse(event.happened_at)) / 60_000;
    expect(Math.abs(age - (events[index]?.elapsed_minutes ?? 0))).toBeLessThan(2);
  }
  await passed.take(events.length);
  expect(passed.ids).toEqual(stream.ids);
  // The last event may arrive before its post is answered.
  await expect.poll(() => driver.status()).toMatchObject({ events_sent: events.length, errors: 0 });
}
