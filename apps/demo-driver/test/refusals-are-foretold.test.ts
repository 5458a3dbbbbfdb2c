import { join } from 'node:path';
import { demoDataFolder, loadScenario } from '@shiplog/scenarios';
import { type Act, answers, hangs, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { testMock } from '../../mock/test/support/mock.ts';
import { anItem, drivenUpstream, driverOf, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const document = 'GET /openapi.json';
const mixed = ['success', 'queued', 'rejected', 'queued', 'failure'].map((status) => anItem({ status }));

/** A target's document with this schema for the ingest body. */
function documentWith(schema: object, schemas: object = {}): Act {
  const requestBody = { content: { 'application/json': { schema } } };
  return answers(
    200,
    JSON.stringify({ paths: { '/api/deployments': { post: { requestBody } } }, components: { schemas } }),
  );
}

const ofStatuses = (...statuses: string[]) => documentWith({ properties: { status: { enum: statuses } } });

async function drivenMixed(target: Act) {
  const scenariosDir = await scenarioFolder({ 'mixed.json': { events: mixed } });
  const driven = await drivenUpstream({
    config: { scenariosDir },
    ...(target === hangs && { times: { healthProbeMs: 200 } }),
  });
  driven.upstream.script(document, target);
  return driven;
}

test('before a run of the history scenario, the panel shows that the mock refuses five of its statuses', async () => {
  const driver = await driverOf((await testMock()).url);
  const history = loadScenario(join(demoDataFolder, 'history.json')).events;
  expect((await driver.call('GET', '/demo/scenarios/history')).json).toEqual({
    name: 'history',
    events_total: history.length,
    events_refused: history.filter(({ status }) => !['in-progress', 'success', 'failure'].includes(status)).length,
    statuses_refused: ['pending', 'queued', 'waiting', 'cancelled', 'rejected'],
  });
});

test('before a run, the log contains the number of events that the mock will refuse', async () => {
  const scenariosDir = await scenarioFolder({ 'mixed.json': { events: mixed } });
  const driver = await driverOf((await testMock()).url, { scenariosDir });
  const feed = await driver.feed('posted');
  await driver.post('/demo/scenarios/mixed/run', { delay_ms: 0 });
  await feed.take(mixed.length);
  expect(await driver.status()).toMatchObject({ events_sent: 2, errors: 3 });
  const said = driver.log.map((line) => String(JSON.parse(line).msg));
  expect(said.filter((text) => /target|gave up/.test(text))).toEqual([
    'the target refuses 3 of the 5 events: it does not accept queued, rejected',
    ...Array.from({ length: 3 }, () => 'gave up posting an event'),
  ]);
});

test('the service accepts the events that the mock refuses', async () => {
  const service = await testService({ databaseUrl: (await testDatabase()).url });
  const driver = await driverOf(service.url);
  expect((await driver.call('GET', '/demo/scenarios/history')).json).toMatchObject({
    name: 'history',
    events_refused: 0,
    statuses_refused: [],
  });
});

test.each<[string, Act]>([
  ['in place', ofStatuses('in-progress', 'success', 'failure')],
  [
    'by references',
    documentWith(
      { $ref: '#/components/schemas/Ingest~1~0%20body' },
      {
        'Ingest/~ body': { properties: { status: { $ref: '#/components/schemas/Status' } } },
        Status: { enum: ['success', 'failure'] },
      },
    ),
  ],
])('the accepted statuses are read from the OpenAPI document of the target (%s)', async (_, act) => {
  const { driver } = await drivenMixed(act);
  expect((await driver.call('GET', '/demo/scenarios/mixed')).json).toEqual({
    name: 'mixed',
    events_total: 5,
    events_refused: 3,
    statuses_refused: ['queued', 'rejected'],
  });
});

test.each<[string, Act]>([
  ['has no OpenAPI document', answers(404, '{}')],
  ['answers with a page', answers(200, '<html>')],
  ['has the document of another API', answers(200, '{"paths":{"/api/deployments":{"get":{}}}}')],
  ['has statuses that are not a list', documentWith({ properties: { status: { enum: 7 } } })],
  ['has a reference to a missing part', documentWith({ $ref: '#/components/schemas/nothing' })],
  [
    'has a reference to itself',
    documentWith({ $ref: '#/paths/~1api~1deployments/post/requestBody/content/application~1json/schema' }),
  ],
  ['does not answer', hangs],
])('if the target %s, no refusal is predicted, and the run continues', async (_, act) => {
  const { driver, upstream } = await drivenMixed(act);
  expect((await driver.call('GET', '/demo/scenarios/mixed')).json).toMatchObject({ events_refused: 0 });
  await driver.post('/demo/scenarios/mixed/run');
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: 5 });
  expect(driver.logged('refuses')).toEqual([]);
});

test('a scenario with only statuses that every target accepts needs no request to the target', async () => {
  const { driver, upstream } = await drivenUpstream();
  expect((await driver.call('GET', '/demo/scenarios/demo-set')).json).toMatchObject({
    events_total: 47,
    events_refused: 0,
  });
  await driver.post('/demo/ingest');
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.of(document)).toEqual([]);
});

test('a run stopped during the request to the target posts nothing', async () => {
  const { driver, upstream } = await drivenMixed(hangs);
  await driver.post('/demo/scenarios/mixed/run');
  await upstream.until(() => upstream.of(document).length === 1);
  await driver.post('/demo/ingest/stop');
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.of(routes.post)).toEqual([]);
});

test('an unknown scenario is answered with 404', async () => {
  const { driver } = await drivenUpstream();
  expect((await driver.call('GET', '/demo/scenarios/nobody-has-it')).status).toBe(404);
});
