import type { Answer } from '@shiplog/testing';
import { type Arbitrary, array, constantFrom, letrec, oneof, sample, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { aReport, Control } from '../support/control.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { bodyBytesMax, storedBytesMax } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** A fixed seed, so that failures are reproducible. */
const seed = 20_260_504;

/** Removes white space between JSON tokens. A payload may not change in any other way (reading 7.1). */
function squeezed(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1');
}

/** A report with this raw payload. */
function reportWith(payload: string): string {
  return JSON.stringify(aReport()).replace(/}$/, `,"payload":${payload}}`);
}

/** A JSON object of exactly this many UTF-8 bytes, padded with this string. */
function payloadOfBytes(bytes: number, filler: string): string {
  const [head, tail] = ['{"a":"', '"}'];
  const room = bytes - head.length - tail.length;
  const text = filler.repeat(Math.floor(room / Buffer.byteLength(filler)));
  return `${head}${text}${'.'.repeat(room - Buffer.byteLength(text))}${tail}`;
}

/** Generates JSON texts, including tokens that parsing and serializing would change. */
const { object } = letrec<{ object: string[]; value: string[] }>((tie) => {
  const spelling = constantFrom(
    'a',
    'é',
    '😀',
    '\\u0000',
    '\\ud800',
    '\\uDC00',
    '\\/',
    '\\"',
    '\\\\',
    '\\n',
    ' ',
    '{',
    ',',
  );
  const text = array(spelling, { maxLength: 5 }).map((parts) => `"${parts.join('')}"`);
  const name = oneof(text, constantFrom('"a"', '"\\u0061"', '"1"', '"0"', '"__proto__"', '"payload"'));
  const number = constantFrom(
    '9007199254740993',
    '1.0',
    '-0',
    '0',
    '1e5',
    '1E+5',
    '0.10',
    '1e999',
    `${'1234567890'.repeat(5)}`,
  );
  const scalar = oneof(text, number, constantFrom('true', 'false', 'null')).map((token) => [token]);
  const member = tuple(name, tie('value')).map(([key, value]) => [key, ':', ...value]);
  const list = (items: Arbitrary<string[]>, open: string, close: string) =>
    array(items, { maxLength: 4 }).map((each) => [
      open,
      ...each.flatMap((item, n) => (n ? [',', ...item] : item)),
      close,
    ]);
  return {
    object: list(member, '{', '}'),
    value: oneof({ maxDepth: 4 }, scalar, tie('object'), list(tie('value'), '[', ']')),
  };
});
const space = constantFrom('', '', ' ', '\n', '\t', '\r\n', '  ');

suite('control: payload', (api) => {
  const control = new Control(api);
  const post = (body: string | Buffer, component = unique('component')) =>
    control.report(body, { 'X-Component-Id': component });
  const listing = (component: string): Promise<Answer> =>
    control.send({ path: `/api/control/events?component_id=${component}&limit=500` });

  /** Expects the unchanged payload in the listing and on the stream. */
  const expectKept = async (payload: string, body = reportWith(payload)) => {
    const component = unique('component');
    const stream = await control.componentStream();
    expect((await post(body, component)).status).toBe(204);
    await stream.take(1);
    const kept = `"payload":${squeezed(payload)}`;
    expect(squeezed((await listing(component)).text)).toContain(kept);
    expect(squeezed(stream.frames[0]?.data ?? '')).toContain(kept);
    expect(stream.text).toMatch(/\ndata: [^\n]*\n\n$/);
  };

  test.each([
    '{}',
    '{"n":9007199254740993}',
    '{"n":123456789012345678901234567890.123456789012345678901234567890}',
    '{"n":[1.0,-0,-0.0,1e2,1E2,1e+2,0.10,1e999,-1e-999]}',
    '{"z":1,"a":2,"10":3,"9":4,"":5}',
    '{"a":1,"a":2,"\\u0061":3}',
    '{"s":"\\u0000"}',
    '{"s":"\\ud800","t":"\\udc00\\ud800","\\ud83d":1}',
    '{"s":"\\u0041\\/\\u00e9\\uD83D\\uDE00é😀"}',
    '{"s":"\u2028\u2029\u0085\u007f\ufeff"}',
    '{"s":" a  b ","t":"\\n\\r\\t"}',
    '{"s":"\\\\","t":"\\\\\\""}',
    '{"payload":{"payload":"}"},"s":"\\"payload\\":{},"}',
    '{"__proto__":{"a":1},"constructor":null}',
  ])('reading 7.1: the payload %s is returned unchanged', async (payload) => {
    await expectKept(payload);
  });

  test.each([
    ['arrays', `{"deep":${'['.repeat(2000)}${']'.repeat(2000)}}`],
    ['objects', `{"deep":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`],
  ])('reading 7.1: a payload of deeply nested %s is returned unchanged', async (_, payload) => {
    await expectKept(payload);
  });

  test('reading 7.1: white space may change between tokens, but not within strings', async () => {
    await expectKept(' { \n\t"a b" :\r\n [ 1 , "  " , { } ] } ');
  });

  test('reading 1.1: the last of several duplicate payloads is stored, even if its name contains escapes', async () => {
    const fields = JSON.stringify(aReport({ detail: '"payload":{"detail":1}' })).slice(1, -1);
    await expectKept('{"last":1.0}', `{"payload":{"first":1},${fields},"payload":{"last":1.0}}`);
    await expectKept('{"last":2.0}', `{"payload":[],${fields},"\\u0070ayload":{"last":2.0}}`);
    await expectKept('{"last":3.0}', `{"p\\u0061yload":{"first":1}, "payload" : {"last":3.0} ,${fields}}`);
    expectFaults(await post(`{"payload":{},${fields},"payload":[]}`), ['/payload']);
  });

  test('reading 7.1: any JSON payload is returned unchanged', async () => {
    const component = unique('component');
    const stream = await control.componentStream();
    const texts = sample(object, { seed, numRuns: 150 }).map((tokens, n) => {
      const [spaces] = sample(array(space, { minLength: tokens.length, maxLength: tokens.length }), {
        seed: n,
        numRuns: 1,
      });
      return { kept: tokens.join(''), sent: tokens.map((token, at) => `${token}${spaces?.[at]}`).join('') };
    });
    for (const { sent } of texts) expect((await post(reportWith(sent), component)).status, sent).toBe(204);
    await stream.take(texts.length);
    const listed = squeezed((await listing(component)).text)
      .split(/(?<=}),(?={"id":")/)
      .reverse();
    expect(listed).toHaveLength(texts.length);
    for (const [n, { kept }] of texts.entries()) {
      expect(listed[n]).toContain(`"payload":${kept}`);
      expect(squeezed(stream.frames[n]?.data ?? '')).toContain(`"payload":${kept}`);
    }
  });

  test.each([
    ['ASCII', 'x'],
    ['two-byte characters', 'é'],
    ['three-byte characters', '\u2028'],
    ['four-byte characters', '😀'],
    ['escapes', '\\ud83d\\ude00'],
  ])('§8, reading 7.1: a payload of %s has at most 8192 UTF-8 bytes as sent', async (_, filler) => {
    const [fits, over] = [payloadOfBytes(storedBytesMax, filler), payloadOfBytes(storedBytesMax + 1, filler)];
    expect([fits, over].map((text) => Buffer.byteLength(text))).toEqual([storedBytesMax, storedBytesMax + 1]);
    await expectKept(fits);
    const component = unique('component');
    expectRefusal(await post(reportWith(over), component), 'payload-too-large');
    expect((await control.list({ component_id: component })).items).toEqual([]);
  });

  test('reading 7.1: white space counts within a payload, but not around it', async () => {
    const inside = (spaces: number) => `{${' '.repeat(spaces)}}`;
    expect((await post(reportWith(inside(storedBytesMax - 2)))).status).toBe(204);
    expectRefusal(await post(reportWith(inside(storedBytesMax - 1))), 'payload-too-large');
    const around = ' '.repeat(storedBytesMax);
    expect((await post(reportWith(`${around}{}${around}`))).status).toBe(204);
  });

  test('§4: the limit applies to the payload, not to the body', async () => {
    const report = aReport({ detail: '😀'.repeat(32_768) });
    expect((await post(JSON.stringify(report))).status).toBe(204);
  });

  test('readings 1.1 and 7.1: the limit applies to the last of several duplicate payloads', async () => {
    const [fields, large] = [JSON.stringify(aReport()).slice(1, -1), payloadOfBytes(storedBytesMax + 1, 'x')];
    expect((await post(`{"payload":${large},${fields},"payload":{}}`)).status).toBe(204);
    expectRefusal(await post(`{"payload":{},${fields},"payload":${large}}`), 'payload-too-large');
  });

  test('readings 1.4 and 7.1: the 256 KiB limit is checked first, then validation (422), then the 8 KiB limit', async () => {
    const large = payloadOfBytes(storedBytesMax + 1, 'x');
    expectFaults(await post(reportWith(large).replace('"running"', '"gone"')), ['/state']);
    expectFaults(await post(reportWith(large).replace(/^{/, '{"colour":1,')), ['/colour']);
    expectFaults(await control.report(reportWith(large), { 'X-Component-Id': 'BAD' }), ['/X-Component-Id']);
    expectRefusal(await post(`{"colour":"${'x'.repeat(bodyBytesMax)}"}`), 'payload-too-large');
    const array = `[${'0,'.repeat(storedBytesMax)}0]`;
    expectFaults(await post(reportWith(array)), ['/payload']);
  });
});
