import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';

const ingest = '/demo/ingest';
const run = '/demo/scenarios/demo-set/run';
const emit = '/demo/emit';

test.each<[path: string, body: string, pointers: string[]]>([
  [ingest, '{"dataset":"all"}', ['/dataset']],
  [ingest, '{"dataset":null}', ['/dataset']],
  [ingest, '{"dataset":"random","count":0}', ['/count']],
  [ingest, '{"dataset":"random","count":11}', ['/count']],
  [ingest, '{"dataset":"random","count":-1}', ['/count']],
  [ingest, '{"dataset":"random","count":2.5}', ['/count']],
  [ingest, '{"dataset":"random","count":"3"}', ['/count']],
  [ingest, '{"dataset":"random","count":null}', ['/count']],
  [ingest, '{"delay_ms":-1}', ['/delay_ms']],
  [ingest, '{"delay_ms":1.5}', ['/delay_ms']],
  [ingest, '{"delay_ms":"100"}', ['/delay_ms']],
  [ingest, '{"delay_ms":1e15}', ['/delay_ms']],
  [ingest, '{"reset":true}', ['/reset']],
  [ingest, '{"dataset":"random","count":0,"delay_ms":-1,"colour":1}', ['/colour', '/count', '/delay_ms']],
  [ingest, '[]', ['']],
  [ingest, '"demo"', ['']],
  [ingest, 'null', ['']],
  [ingest, '{"dataset"', ['']],
  [ingest, ' ', ['']],
  [run, '{"delay_ms":-1}', ['/delay_ms']],
  [run, '{"delay_ms":null}', ['/delay_ms']],
  [run, '{"count":3}', ['/count']],
  [run, 'x', ['']],
  [emit, '{"enabled":"yes"}', ['/enabled']],
  [emit, '{"enabled":null}', ['/enabled']],
  [emit, '{"on":true}', ['/on']],
])('%s refuses %s and does nothing', async (path, body, pointers) => {
  const { driver, upstream } = await drivenUpstream();
  const before = await driver.status();
  const { status, headers, json } = await driver.call('POST', path, { body });
  expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  const { errors } = json as { errors: { pointer: string; message: string }[] };
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(pointers);
  for (const { message } of errors) expect(message).not.toMatch(/undefined|then/);
  expect(await driver.status()).toEqual(before);
  expect((await driver.call('GET', emit)).json).toEqual({ emitting: false });
  expect(upstream.reports).toEqual([]);
});

test.each<[path: string, body: string | undefined]>([
  [ingest, undefined],
  [ingest, ''],
  [ingest, '{}'],
  [ingest, '{"dataset":"demo","delay_ms":0}'],
  [ingest, '{"dataset":"demo","count":99}'],
  [ingest, '{"count":0}'],
  [ingest, '{"dataset":"random"}'],
  [ingest, '{"dataset":"random","count":1}'],
  [ingest, '{"dataset":"random","count":10}'],
  [run, undefined],
  [run, '{"delay_ms":3600001}'],
])('%s accepts the body %s', async (path, body) => {
  const { driver } = await drivenUpstream();
  const { status, json } = await driver.call('POST', path, body === undefined ? {} : { body });
  expect([status, json]).toMatchObject([200, { state: 'running' }]);
});

test('calls that need no body ignore a body', async () => {
  const { driver } = await drivenUpstream();
  for (const path of ['/demo/reset', '/demo/ingest/stop', '/demo/scenarios/demo-set/stop', '/demo/api-reset']) {
    expect((await driver.call('POST', path, { body: '{{{' })).status).toBe(200);
  }
});

test.each([
  ['/demo/scenarios/nobody-has-it/run', 404],
  ['/demo/scenarios/nobody-has-it/stop', 404],
  ['/demo/scenarios/random/run', 404],
  ['/demo/scenarios/__proto__/run', 404],
  ['/demo/scenarios/%zz/run', 404],
  ['/demo/scenarios//run', 404],
  ['/demo/scenarios/demo-set', 405],
  ['/demo/nowhere', 404],
  ['/demo/status', 405],
])('POST %s without a body is answered with %i', async (path, status) => {
  const { driver } = await drivenUpstream();
  const answer = await driver.post(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
});
