import { anEvent, clientOf, fileService, postStored } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call } from './support/call.ts';

const log = fileService();
const run = (...args: string[]) => call(args, { url: log.url });
const read = async (source: string, outage_id: string) =>
  (await clientOf(log.url).getOutage({ params: { source, outage_id } })).body;

test('an outage is opened, blamed and resolved, and is listed with its cause', async () => {
  const place = { service: 'pay', environment: 'prod', version: '1.4.2', status: 'success' } as const;
  const event = await postStored(
    log.url,
    anEvent({ ...place, deployment_id: 'd-1', happened_at: new Date().toISOString() }),
  );
  const opened = await run(
    ...['outage', 'open', 'INC-7', '--services', 'pay', '--environments', 'prod', '--title', 'Payments fail'],
    ...['--severity', 'high', '--link', 'https://status.example/7'],
  );
  expect([opened.code, opened.out]).toEqual([0, 'shiplog/INC-7: opened.\n']);
  expect((await run('outages', '--open')).out).toContain('suspected: pay d-1');
  const blamed = await run('outage', 'blame', 'INC-7', '--service', 'pay', '--version', '1.4.2');
  expect([blamed.code, blamed.out]).toEqual([0, 'shiplog/INC-7: caused by pay 1.4.2.\n']);
  expect(await read('shiplog', 'INC-7')).toMatchObject({
    ...{ state: 'open', title: 'Payments fail', severity: 'high', url: 'https://status.example/7' },
    links: [{ rule: 'named', event_id: event.id }],
  });
  expect((await run('outage', 'resolve', 'INC-7')).code).toBe(0);
  expect((await run('outage', 'blame', 'INC-7', '--deployment', 'd-1')).code).toBe(0);
  const resolved = await read('shiplog', 'INC-7');
  expect(resolved).toMatchObject({ state: 'resolved', caused_by: { deployment_id: 'd-1' } });
  expect(resolved.minutes).toBeLessThan(1);
  expect((await run('outages', '--open')).err).toContain('There are no outages.');
  expect((await run('outages', '--services', 'pay*')).out).toContain('named: pay d-1');
});

test('an outage may be dismissed, or not caused by a deployment, also with a given time and source', async () => {
  await run('outage', 'open', 'PT4', '--source', 'pagerduty', '--at', '2026-05-04T09:30:00Z');
  const { out } = await run('outage', 'blame', 'PT4', '--source', 'pagerduty', '--not-by-deployment');
  expect(out).toBe('pagerduty/PT4: not caused by a deployment.\n');
  expect(await read('pagerduty', 'PT4')).toMatchObject({
    ...{ opened_at: '2026-05-04T09:30:00Z', not_by_deployment: true, reason: 'not-by-deployment' },
  });
  await run('outage', 'dismiss', 'PT4', '--source', 'pagerduty');
  expect((await read('pagerduty', 'PT4')).state).toBe('dismissed');
});

test('an invalid outage is a usage error, and an unknown one is refused', async () => {
  for (const args of [
    ['outage', 'blame', 'x'],
    ['outage', 'blame', 'x', '--service', 'pay'],
    ['outage', 'blame', 'x', '--deployment', 'd', '--not-by-deployment'],
    ['outage', 'open', 'x', '--at', 'soon'],
    ['outage', 'open'],
  ]) {
    expect((await run(...args)).code).toBe(2);
  }
  const unknown = await run('outage', 'blame', 'unknown', '--deployment', 'd');
  expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('The log has no outage shiplog/unknown.')]);
});

test('a typo in the id or the version is noted', async () => {
  expect((await run('outage', 'resolve', 'INC-70')).err).toContain('The log had no outage shiplog/INC-70 before.');
  expect((await run('outage', 'resolve', 'INC-70')).err).toBe('');
  await run('outage', 'open', 'INC-71', '--services', 'pay');
  const blamed = await run('outage', 'blame', 'INC-71', '--service', 'pay', '--version', '9.9');
  expect([blamed.code, blamed.err]).toEqual([0, expect.stringContaining('no successful deployment like this')]);
  expect((await run('outage', 'blame', 'INC-71', '--not-by-deployment')).err).toBe('');
});
