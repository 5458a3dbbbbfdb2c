import { endpoints, nilId } from '@shiplog/contract';
import {
  builtDashboard,
  cloneDatabase,
  connections,
  exchange,
  type HttpCall,
  type Operation,
  type RunningService,
  runService,
  servedOperations,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../../conformance/support/invariants.ts';
import { headerValue, hostileBody, urlText } from './support/hostile.ts';
import { countStored } from './support/stored.ts';

const seed = Math.floor(Math.random() * 2 ** 31);

let database: TestDatabase;
let service: RunningService;
const agent = connections();
let operations: Operation[];

beforeAll(async () => {
  database = await cloneDatabase();
  service = await runService({ databaseUrl: database.url, config: { dashboardDir: builtDashboard } });
  // A reset would clear the rows that are counted here.
  operations = (await servedOperations(service.url)).filter(({ path }) => path !== endpoints.startReset.path);
});

afterAll(async () => {
  agent.destroy();
  await service.stop();
  await database.drop();
});

let stored = 0;

/** Sends generated requests and checks every response against the general rules. */
async function fuzz(calls: fc.Arbitrary<HttpCall>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const answer = await exchange(service.url, call, agent);
      checkInvariants(call, answer, testKeys);
      expect(answer, 'no redirect, and no fault of the service').toSatisfy(
        ({ status }) => status < 300 || status === 304 || (status >= 400 && status < 500),
      );
      if (answer.status === 201) stored += 1;
    }),
    { seed, numRuns },
  );
  expect(await countStored(database.url), 'rows stored against posts answered 201').toBe(stored);
}

const goodKeys = [
  ['x-api-key', testKeys.api],
  ['x-control-api-key', testKeys.control],
] as const;

const declaredHeaders = [
  'x-progress-reporter',
  'if-none-match',
  'last-event-id',
  'x-component-id',
  'x-correlation-id',
  'x-api-key',
  'x-control-api-key',
];
const ordinaryHeaders = ['content-type', 'accept', 'accept-encoding', 'cookie', 'range', 'origin', 'x-forwarded-for'];
/** Headers that change the connection itself. */
const hopHeaders = ['upgrade', 'te', 'content-encoding', 'connection'];

const headers = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(fc.constantFrom(...declaredHeaders, ...ordinaryHeaders, ...hopHeaders), headerValue), {
      maxLength: 4,
    }),
  )
  .map(([keyed, drawn]) => (keyed ? [...goodKeys, ...drawn.filter(([name]) => !name.endsWith('api-key'))] : drawn));

const query = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom('service', 'status', 'since', 'limit', 'cursor', 'window'), urlText), urlText),
    {
      maxLength: 4,
    },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`));

test(`no body makes ingest fail or store an event that it rejected (seed ${seed})`, async () => {
  const ingest = operations.find(({ path, method }) => path === '/api/deployments' && method === 'POST');
  const post = hostileBody({ body: ingest?.body }).map(
    (body): HttpCall => ({ method: 'POST', path: '/api/deployments', headers: [...goodKeys], body }),
  );
  await fuzz(post, 1500);
  expect(stored).toBeGreaterThan(20);
});

test(`no query, header or id makes an endpoint fail (seed ${seed})`, async () => {
  const calls = fc.constantFrom(...operations).chain(({ method, path, parameters, body }) => {
    const segments = parameters
      .filter((parameter) => parameter.in === 'path')
      .map(() => fc.oneof(urlText, fc.uuid(), fc.constant(nilId)));
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const ownQuery = fc
      .array(fc.tuple(fc.constantFrom('x', ...names), urlText), { maxLength: 3 })
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
    return fc.record({
      method: fc.constantFrom(method, method, method, method === 'GET' ? 'HEAD' : method),
      path: fc
        .tuple(fc.tuple(...segments), ownQuery)
        .map(([values, search]) => `${path.replace(/\{[^}]+\}/g, () => values.shift() ?? '')}?${search}`),
      headers,
      body: body ? hostileBody({ body }) : fc.constant(undefined),
    });
  });
  await fuzz(calls, 1500);
});

test(`no combination of path and method makes the service fail (seed ${seed})`, async () => {
  const known = operations.map(({ path }) => path);
  const path = fc.oneof(
    fc
      .tuple(fc.constantFrom(...known, '/docs', '/metrics', '/openapi.json', '/problems'), urlText)
      .map((parts) => parts.join('/')),
    fc.tuple(fc.constantFrom(...known, '/docs', '/metrics'), query).map((parts) => parts.join('')),
    fc.array(urlText, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
    // The absolute form that clients send to a proxy.
    urlText.map((text) => `http://shiplog/${text}`),
  );
  const method = fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'QUERY',
  );
  const body = fc.option(hostileBody({ body: operations.find((each) => each.body)?.body }), { nil: undefined });
  await fuzz(fc.record({ method, path, headers, body }), 1000);
});
