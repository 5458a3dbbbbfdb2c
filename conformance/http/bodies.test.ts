import { describe, expect, test } from 'vitest';
import { freshEvent } from '../support/api.ts';
import { type BodiedCall, bodiedCalls, named, requestOf } from '../support/calls.ts';
import { expectFaults } from '../support/refusals.ts';
import { allFields, requiredFields } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** Invalid bodies, made from a JSON object. */
const brokenBodies: readonly [string, (json: string) => string | Buffer][] = [
  ['is empty', () => ''],
  ['is white space', () => ' \n\t '],
  ['is cut off', (json) => json.slice(0, -1)],
  ['has a trailing comma', (json) => json.replace(/}$/, ',}')],
  ['has text after its end', (json) => `${json}x`],
  ['has two values', (json) => `${json}${json}`],
  ['has a comment', (json) => `${json}// comment`],
  ['has names without quotes', () => '{service: "x"}'],
  ['has single quotes', (json) => json.replaceAll('"', "'")],
  ['has NaN', () => '{"version":NaN}'],
  ['has a bare control character in a string', () => '{"service":"a\nb"}'],
  ['has an unknown escape', () => '{"service":"\\x41"}'],
  ['has a broken \\u escape', () => '{"service":"\\u12"}'],
  ['is form-encoded', () => 'service=x&environment=y'],
  ['is not UTF-8', (json) => Buffer.from(json.replace(/}$/, ',"actor":"Z\xff"}'), 'latin1')],
  ['contains Latin-1 text', (json) => Buffer.from(json.replace(/}$/, ',"actor":"Zo\xeb"}'), 'latin1')],
  ['ends within a UTF-8 sequence', (json) => Buffer.concat([Buffer.from(json), Buffer.from([0xe2, 0x82])])],
  [
    'has an overlong UTF-8 sequence',
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  ],
  [
    'has a surrogate in UTF-8',
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['is UTF-16', (json) => Buffer.from(json, 'utf16le')],
  ['consists of NUL bytes', () => Buffer.alloc(8)],
  ['is an array', (json) => `[${json}]`],
  ['is an empty array', () => '[]'],
  ['is null', () => 'null'],
  ['is true', () => 'true'],
  ['is a number', () => '7'],
  ['is a string', (json) => JSON.stringify(json)],
  ['is nested 100,000 levels deep', () => '['.repeat(100_000) + ']'.repeat(100_000)],
];

/** Unknown field names and their pointers. */
const unknownNames: readonly [string, string][] = [
  ['colour', '/colour'],
  ['id', '/id'],
  ['progress_reporter', '/progress_reporter'],
  ['Service', '/Service'],
  ['service ', '/service '],
  ['a/b', '/a~1b'],
  ['a~b', '/a~0b'],
  ['~1', '/~01'],
  ['', '/'],
  ['0', '/0'],
  ['__proto__', '/__proto__'],
  ['constructor', '/constructor'],
  ['toString', '/toString'],
  ['😀', '/😀'],
  ['a\u0000b', '/a\u0000b'],
  ['"quoted"', '/"quoted"'],
];

suite('bodies', (api) => {
  const asText = (fields = {}) => JSON.stringify(freshEvent(fields));
  const send = (call: BodiedCall, body: string | Buffer) => api.send(requestOf(call, api.keys, body));
  const textOf = (call: BodiedCall) => JSON.stringify(call.body());

  describe.each(named(api, bodiedCalls))('%s', (_, call) => {
    test.each(brokenBodies)('reading 1.1: a body that %s returns 422 with an empty pointer', async (_, body) => {
      expectFaults(await send(call, body(textOf(call))), ['']);
    });

    test.each(unknownNames)(
      'reading 1.2: the unknown field %j is rejected with the pointer %j',
      async (name, pointer) => {
        const body = textOf(call).replace(/}$/, `,${JSON.stringify(name)}:{"service":"x"}}`);
        expectFaults(await send(call, body), [pointer]);
      },
    );

    test('reading 1.2: the members of __proto__ do not count as fields', async () => {
      expectFaults(await send(call, `{"__proto__":${textOf(call)}}`), [
        '/__proto__',
        ...call.required.map((field) => `/${field}`),
      ]);
    });

    test('reading 1.1: white space around and between tokens is ignored', async () => {
      const answer = await send(call, ` \r\n\t${JSON.stringify(call.body(), null, '\t')}\n `);
      expect(answer.status).toBe(call.success);
    });

    test('reading 1.1: a chunked body is accepted', async () => {
      const answer = await api.send({ ...requestOf(call, api.keys), chunkBytes: 3 });
      expect(answer.status).toBe(call.success);
    });

    test('§2: every required field is required, and a body with only these is accepted', async () => {
      const body = call.body();
      expect(Object.keys(body).sort()).toEqual([...call.required].sort());
      expect((await send(call, JSON.stringify(body))).status).toBe(call.success);
      expectFaults(
        await send(call, '{}'),
        call.required.map((field) => `/${field}`),
      );
      for (const field of call.required) {
        const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
        expectFaults(await send(call, JSON.stringify(rest)), [`/${field}`]);
      }
    });

    test.each([100, 1500])(
      'reading 1.2: a response to a body with %i errors lists the first hundred and counts all',
      async (count) => {
        const names = Array.from({ length: count }, (_, n) => `field_${n}`);
        const body = { ...call.body(), ...Object.fromEntries(names.map((name) => [name, 0])) };
        const answer = await send(call, JSON.stringify(body));
        expectFaults(
          answer,
          names.slice(0, 100).map((name) => `/${name}`),
        );
        expect(answer.json).toMatchObject({ detail: `/field_0 is not a known field, and ${count - 1} more.` });
      },
    );
  });

  test('reading 1.1: the last of several duplicate members counts', async () => {
    const last = await api.ingest(
      asText().replace(/^{/, '{"version":7,"service":null,').replace(/}$/, ',"version":"last"}'),
    );
    expect(last.status).toBe(201);
    expect(last.json).toMatchObject({ version: 'last' });
    expectFaults(await api.ingest(asText({ version: 'first' }).replace(/}$/, ',"version":7}')), ['/version']);
  });

  test.each([
    ['a number', 7],
    ['a boolean', true],
    ['an array', ['success']],
    ['an object', { service: 'x' }],
  ])('readings 1.2 and 3.2: %s is invalid in string fields, and all errors are reported together', async (_, value) => {
    const texts = allFields.filter((field) => field !== 'parent_deployments');
    const body = Object.fromEntries(texts.map((field) => [field, value]));
    expectFaults(
      await api.ingest(body),
      texts.map((field) => `/${field}`),
    );
  });

  test.each([
    ['a string', 'deployment-1'],
    ['a number', 1],
    ['a boolean', false],
    ['an object', { 0: 'deployment-1' }],
    ['a list that contains null', ['deployment-1', null]],
  ])('readings 1.2 and 3.2: %s is not a valid parent_deployments', async (_, value) => {
    const pointer = Array.isArray(value) ? '/parent_deployments/1' : '/parent_deployments';
    expectFaults(await api.ingest({ ...freshEvent(), parent_deployments: value }), [pointer]);
  });

  test('reading 3.2: a null optional field counts as absent', async () => {
    const optional = allFields.filter((field) => !requiredFields.some((required) => required === field));
    for (const absent of [...optional.map((field) => [field]), optional]) {
      const event = freshEvent();
      const answer = await api.ingest({ ...event, ...Object.fromEntries(absent.map((field) => [field, null])) });
      expect(answer.status, String(absent)).toBe(201);
      expect(answer.json).toEqual({ id: (answer.json as { readonly id: string }).id, ...event });
    }
  });

  test('reading 3.2: a null in a required field is an error and is reported with the others', async () => {
    const body = Object.fromEntries(allFields.map((field) => [field, null]));
    expectFaults(
      await api.ingest(body),
      requiredFields.map((field) => `/${field}`),
    );
  });

  test('reading 1.2: errors of all kinds are reported together, each with its pointer', async () => {
    const answer = await api.ingest({
      deployment_id: '',
      environment: 'x'.repeat(65),
      version: 1.5,
      status: 'SUCCESS',
      happened_at: 'yesterday',
      run_url: 'nowhere',
      run_number: 7421,
      actor: 'a\u0000b',
      ref: 7,
      parent_deployments: ['a', '', 7],
      'co/lour': 'red',
    });
    expectFaults(answer, [
      '/deployment_id',
      '/service',
      '/environment',
      '/version',
      '/status',
      '/happened_at',
      '/run_url',
      '/run_number',
      '/actor',
      '/ref',
      '/parent_deployments/1',
      '/parent_deployments/2',
      '/co~1lour',
    ]);
  });

  test('§9 rule 4: a rejected body is not stored', async () => {
    const event = freshEvent();
    expectFaults(await api.ingest({ ...event, colour: 'red' }), ['/colour']);
    expect((await api.list({ service: event.service })).items).toEqual([]);
  });

  test('reading 1.1: a character that spans two chunks of a body is decoded correctly', async () => {
    const answer = await api.send({
      method: 'POST',
      path: '/api/deployments',
      headers: { 'X-Api-Key': api.keys.api },
      body: asText({ version: 'grüße-😀' }),
      chunkBytes: 3,
    });
    expect(answer.json).toMatchObject({ version: 'grüße-😀' });
  });
});
