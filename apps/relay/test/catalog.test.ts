import { answers, ScriptedServer, TestClock, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Catalog } from '../src/catalog.ts';

const items = '{"items":[{"service":"pay-api","team":"core"},{"service":"shop","team":null}]}';

async function catalogOf(...acts: Parameters<typeof ScriptedServer.open>) {
  const server = await ScriptedServer.open(...acts);
  const clock = new TestClock();
  return {
    server,
    clock,
    catalog: new Catalog({ baseUrl: server.url, apiKey: testKeys.api, clock, signal: new AbortController().signal }),
  };
}

test('teams are requested at most once in 30 s', async () => {
  const { server, clock, catalog } = await catalogOf(answers(200, items));
  expect(await Promise.all(['pay-api', 'shop', 'other'].map((service) => catalog.teamOf(service)))).toEqual([
    'core',
    '',
    '',
  ]);
  expect(server.received).toMatchObject([{ path: '/api/catalog', headers: { 'x-api-key': testKeys.api } }]);
  clock.advance(30_000);
  await catalog.teamOf('shop');
  expect(server.received).toHaveLength(2);
});

test('a service without a catalog has no teams', async () => {
  const { catalog } = await catalogOf(answers(404, '{}'));
  expect(await catalog.teamOf('pay-api')).toBe('');
});

test('an unreachable catalog is requested again', async () => {
  const { catalog } = await catalogOf(answers(503), answers(200, items));
  await expect(catalog.teamOf('pay-api')).rejects.toThrow('getCatalog returned 503');
  expect(await catalog.teamOf('pay-api')).toBe('core');
});
