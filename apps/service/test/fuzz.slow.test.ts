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
  type Schema,
  servedOperations,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../../conformance/support/invariants.ts';
import { badValues } from '../../../test/input/bad-values.ts';
import { unknownNames } from '../../../test/input/body-cases.ts';
import { jsonOf, membersOf } from '../../../test/input/document.ts';
import { badCursors } from '../../../test/input/parameter-cases.ts';
import { countStored } from './support/stored.ts';

/** Texts that often break programs. */
const nastyText = fc.oneof(
  fc.constantFrom(...unknownNames),
  fc.constantFrom('a\udfffb', '\udc00\ud800', '\u202e', 'NaN', '1e400', '%00', '%zz', '../../etc/passwd', '{{7*7}}'),
  fc.constantFrom("'; drop table deployments; --", '🚢'.repeat(130), '2016-12-31T23:59:60Z', '-1', '9'.repeat(20)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const wrongValue = fc.oneof(
  { arbitrary: nastyText, weight: 4 },
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, true, 0, -0, 1e308, [], {}, [null], [['x']], { toString: 1 }, 'a'.repeat(3000)),
);

/** A value that a schema accepts, as JSON text. */
function validValue({ enum: choices, format, minLength = 0, type, items = {} }: Schema): fc.Arbitrary<string> {
  if (choices) return fc.constantFrom(...choices).map((choice) => JSON.stringify(choice));
  if (format === 'uri') return fc.constantFrom('"https://ci.example.com/runs/7"', '"urn:x:y"');
  if (format === 'date-time') {
    return fc.constantFrom('"2026-05-04T09:12:02Z"', '"2026-05-04T09:12:02.5+02:00"', '"0001-01-01T00:00:00Z"');
  }
  if (type === 'array') return fc.uniqueArray(validValue(items), { maxLength: 5 }).map((each) => `[${each}]`);
  if (type === 'object') return fc.constant('{"page":7}');
  return fc.string({ unit: 'grapheme', minLength, maxLength: 20 }).map((text) => JSON.stringify(text));
}

/** The members of a valid body as JSON texts; optional ones may be missing. */
function validMembers({ properties = {}, required = [] }: Schema): fc.Arbitrary<(readonly [string, string])[]> {
  const members = Object.entries(properties).map(([name, each]) => {
    const present = validValue(each).map((json) => [[name, json] as const]);
    return required.includes(name) ? present : fc.option(present, { nil: [] });
  });
  return fc.tuple(...members).map((each) => each.flat());
}

/** A fault in a body: a wrong value, a missing member, or an unknown member. */
function spoiltMember(schema: Schema): fc.Arbitrary<readonly [name: string, json: string | undefined]> {
  const { properties = {} } = schema;
  const bad = Object.entries(properties).flatMap(([name, each]) => badValues(each).map(({ json }) => ({ name, json })));
  const names = fc.oneof({ arbitrary: fc.constantFrom(...membersOf(schema).keys()), weight: 9 }, nastyText);
  return fc.oneof(
    fc.constantFrom(...bad).map(({ name, json }) => [name, json] as const),
    fc.tuple(
      names,
      wrongValue.map((value) => JSON.stringify(value)),
    ),
    names.map((name) => [name, undefined] as const),
  );
}

/** A valid body with one to three faults; sometimes the faulty member duplicates the valid one. */
function nearlyValid(schema: Schema): fc.Arbitrary<string> {
  const spoilt = fc.array(spoiltMember(schema), { minLength: 1, maxLength: 3, size: 'xsmall' });
  return fc.tuple(validMembers(schema), spoilt, fc.nat(9)).map(([members, wrong, doubled]) => {
    const kept = members.filter(([name]) => doubled === 0 || wrong.every(([other]) => other !== name));
    return jsonOf([...kept, ...wrong.flatMap(([name, json]) => (json === undefined ? [] : [[name, json] as const]))]);
  });
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** Request bodies for an operation, from valid to completely broken. */
function hostileBody({ body: schema = {} }: Pick<Operation, 'body'>): fc.Arbitrary<Uint8Array> {
  const nearly = nearlyValid(schema);
  const opening = fc.constantFrom('[', '{"a":', '{"service":{"a":');
  return fc.oneof(
    { arbitrary: validMembers(schema).map((members) => bytesOf(jsonOf(members))), weight: 1 },
    { arbitrary: nearly.map(bytesOf), weight: 4 },
    // Truncated anywhere, even inside a JSON token or a UTF-8 sequence.
    fc.tuple(nearly, fc.nat(200)).map(([text, length]) => bytesOf(text).subarray(0, length)),
    fc.json({ maxDepth: 4 }).map(bytesOf),
    fc.uint8Array({ maxLength: 100 }),
    fc.tuple(opening, fc.nat(5000)).map(([text, depth]) => bytesOf(text.repeat(depth))),
  );
}

/** Any header value that a client can send: bytes without line breaks and NUL. */
const headerValue = fc
  .oneof(
    nastyText.map((text) => Buffer.from(text).toString('latin1')),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

/** Text for a request line: percent-encoded, with broken encoding, or raw. */
const urlText = fc.oneof(
  fc.constantFrom('%00', 'a%00b', '%', '%zz', '%ff', '%ed%a0%80', '+', '..', '%2e%2e', '%2f'),
  fc.constantFrom(...badCursors),
  nastyText.filter((text) => !/\p{Surrogate}/u.test(text)).map(encodeURIComponent),
  nastyText.map((text) => text.replace(/[^\x21-\x7e]|[#?]/g, '')),
);

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
      expect(answer, 'no redirect, and no error of the service').toSatisfy(
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
