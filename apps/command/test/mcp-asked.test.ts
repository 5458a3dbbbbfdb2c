import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anEvent, minute, postStored, testDatabase, testFolder, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { addressOf } from '../../dashboard/src/state/address.ts';
import { assistant } from './support/assistant.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();

test('an assistant that gives an unknown name gets the known names', async () => {
  const url = await emptyService();
  await postStored(url, anEvent({ service: 'api', environment: 'staging' }));
  const { call } = await assistant(url);
  for (const [name, given] of [
    ['history', { service: 'api', environment: 'stagin' }],
    ['diff', { from: 'staging', to: 'stagin' }],
    ['board', { environments: ['stagin'] }],
  ] as const) {
    const { isError, texts } = await call(name, given);
    const sentence = 'The log has no environment "stagin". Known environments: staging.';
    expect([isError, ...texts]).toEqual([true, sentence]);
  }
  const { isError, texts } = await call('releases', { service: 'ap' });
  expect([isError, ...texts]).toEqual([true, 'The log has no service "ap". Known services: api.']);
});

test('an assistant can filter the board by team and see the past', async () => {
  const catalog = join(await testFolder(), 'catalog.yaml');
  await writeFile(catalog, 'services:\n  - { name: "pay-*", team: core }\n');
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl, config: { catalogFile: catalog } });
  for (const [n, service] of ['pay-api', 'web', 'pay-web'].entries()) {
    await postStored(url, anEvent({ service, happened_at: minute(n) }));
  }
  const { call } = await assistant(url);
  const shown = async (given: Record<string, unknown>) =>
    (await call('board', given)).json.items.map(({ service }) => service);
  expect(await shown({ teams: ['core'] })).toEqual(['pay-api', 'pay-web']);
  expect(await shown({ teams: ['core'], services: ['w*'] })).toEqual(['pay-api', 'pay-web', 'web']);
  expect(await shown({ at: minute(1) })).toEqual(['pay-api', 'web']);
});

test('each link in an answer opens the view with the same parameters', async () => {
  const url = await emptyService();
  for (const environment of ['staging', 'prod']) await postStored(url, anEvent({ environment, version: '1.0' }));
  const { call } = await assistant(url);
  const opened = async (name: string, given: Record<string, unknown>) =>
    addressOf(new URL((await call(name, given)).json.link).search);
  expect(await opened('board', { services: ['pay*'], at: minute(9) })).toMatchObject({
    view: 'board',
    filter: { services: ['pay*'] },
    asof: minute(9),
  });
  expect(await opened('attention', { environments: ['prod'] })).toMatchObject({
    view: 'board',
    filter: { environments: ['prod'] },
  });
  expect(await opened('changes', { environments: ['prod'] })).toMatchObject({
    view: 'changes',
    filter: { environments: ['prod'] },
    range: { from: expect.any(String), to: expect.any(String) },
  });
  expect(await opened('changes', { from: minute(0), to: minute(9), net: true })).toMatchObject({
    filter: { environments: ['*'] },
    net: true,
    range: { from: minute(0), to: minute(9) },
  });
  expect(await opened('where', { q: '1.0' })).toMatchObject({ view: 'releases' });
  expect(await opened('releases', { service: 'payments-api' })).toMatchObject({
    view: 'releases',
    release: { service: 'payments-api' },
  });
  expect(await opened('diff', { from: 'staging', to: 'prod' })).toMatchObject({
    view: 'releases',
    release: { tab: 'reach' },
    comparison: { from: 'staging', to: 'prod' },
  });
  expect(await opened('quality', { kind: ['future'] })).toMatchObject({
    view: 'analytics',
    figures: { tab: 'quality' },
    quality: { kinds: ['future'] },
  });
  const asked = { from: '2026-04-01', to: '2026-05-01', evidence: 'change_failure_rate', services: ['pay*'] };
  expect(await opened('dora', asked)).toMatchObject({
    view: 'analytics',
    filter: { services: ['pay*'] },
    range: { from: '2026-04-01T00:00:00Z', to: '2026-05-01T00:00:00Z' },
    figures: { evidence: 'change_failure_rate' },
  });
  expect(await opened('dora', { period: '14d' })).toMatchObject({ view: 'analytics', range: { name: '14d' } });
  expect((await opened('dora', { period: '9d' })).range).toHaveProperty('from');
});
