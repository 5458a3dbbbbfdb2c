import { bodyCases } from './body-cases.ts';
import { type Case, fields, type Headers, type Subject, type Target, targetsOf, withHead } from './cases.ts';
import { jsonOf, membersOf } from './document.ts';
import { parameterCases } from './parameter-cases.ts';
import { placeCases } from './place-cases.ts';

const bodyBytesMax = 256 * 1024;
const forwardedBytesMax = 5 * 1024 * 1024;
const storedBytesMax = 8 * 1024;

/** Headers without a valid key. */
function wrongKeys(header: string, key: string, otherKeys: readonly string[]): Headers[] {
  const wrong = [
    '',
    'wrong',
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `"${key}"`,
    `${key},${key}`,
    `${key}\xa0`,
  ];
  return [
    [],
    ...[...wrong, '\xff\xfe', '*', 'k'.repeat(8000), ...otherKeys].map((value) => fields(`${header}: ${value}`)),
    fields(`${header}: ${key}`, `${header}: ${key}`),
    fields(`Authorization: Bearer ${key}`),
    fields(`Cookie: ${header}=${key}`),
    fields(`${header.replaceAll('-', '_')}: ${key}`),
  ];
}

/** Requests without a valid key, some of which have other errors too. The key is checked first (reading 1.4). */
function keyCases(target: Target, { keys }: Subject): Case[] {
  const { keyHeader = '' } = target.operation;
  const key = keys[keyHeader];
  if (key === undefined) return [];
  const otherKeys = Object.values(keys).filter((other) => other !== key);
  const segments = Object.fromEntries(Object.keys(target.valid.segments).map((name) => [name, 'NO']));
  return wrongKeys(keyHeader, key, otherKeys).flatMap((lines) => {
    const headers = target.headersWith(keyHeader, ...lines);
    const query = `${keyHeader}=${key}&key=${key}`;
    return [{}, { query }, { body: Buffer.from('{') }, { segments }].map((more) => ({
      kind: 'wrong key',
      call: target.call({ headers, ...more }),
      statuses: [401],
    }));
  });
}

/** The headers that a browser sends from a page of another site (reading 9.8). */
const foreign: readonly Headers[] = [
  ...['cross-site', 'same-site', '', 'SAME-ORIGIN', 'same-origin, cross-site'].map((site) =>
    fields(`Sec-Fetch-Site: ${site}`),
  ),
  fields('Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: same-origin'),
  fields('Sec-Fetch-Site: cross-site', 'Origin: http://shiplog'),
  ...['https://elsewhere.example', 'http://shiplog.elsewhere.example', 'http://shiplog@elsewhere.example'].map(
    (origin) => fields(`Origin: ${origin}`),
  ),
  ...['http://shiplog:81', 'null', '', 'x', '*', 'http://', 'http://[', 'file://', '\xff', 'x'.repeat(8000)].map(
    (origin) => fields(`Origin: ${origin}`),
  ),
];

function originCases(target: Target): Case[] {
  const { statuses, keyHeader } = target.operation;
  // No page can send a key for a browser. Where a key is required, 403 is about its rights.
  if (!statuses.includes(403) || keyHeader !== undefined || target.needsCredential) return [];
  return foreign.flatMap((lines) =>
    [{}, { body: Buffer.from('{') }, { query: 'x=1' }].map((more) => ({
      kind: 'foreign origin',
      call: target.call({ headers: [...target.valid.headers, ...lines], ...more }),
      statuses: [403],
    })),
  );
}

/** Bodies above the transport limit (readings 1.5, 9.7), and headers above the limit for HTTP headers. */
function sizeCases(target: Target): Case[] {
  const { valid, isRead, operation } = target;
  const bytesMax = operation.path.startsWith('/demo/ci/') ? forwardedBytesMax : bodyBytesMax;
  const bodies = [bytesMax + 1, 3 * bytesMax].flatMap((bytes) => [
    Buffer.alloc(bytes, '{'),
    Buffer.concat([valid.body ?? Buffer.from('{}'), Buffer.alloc(bytes, ' ')]),
  ]);
  const lines = [`x: ${'y'.repeat(17_000)}`, `${'x'.repeat(17_000)}: y`, `Cookie: ${'a=b; '.repeat(4000)}`];
  return [
    ...(isRead ? [] : bodies).map((body) => ({
      kind: 'too large a body',
      call: target.call({ body }),
      statuses: [413],
    })),
    ...lines.map((line) => ({
      kind: 'too large a head',
      call: target.call({ headers: [...valid.headers, ...fields(line)] }),
      statuses: [431],
    })),
  ];
}

const oddHeaders: readonly Headers[] = [
  ...['X-HTTP-Method-Override: POST', 'X-Method-Override: DELETE', 'X-Original-URL: /', 'X-Rewrite-URL: /_mock/reset'],
  ...['X-Forwarded-For: \xff', 'X-Forwarded-Host: elsewhere.example', 'Forwarded: for="', 'Via: 1.1 x, 1.1 x'],
  ...['Accept: application/xml', 'Accept: \xff', 'Accept-Encoding: br;q=2, *;q=0', 'Accept-Version: 99'],
  'Range: bytes=9-1',
  ...['If-Match: "x"', 'If-Modified-Since: never', 'Cookie: =;=;;', 'Authorization: Basic !', 'Max-Forwards: -1'],
  ...['__proto__: x', 'constructor: x', 'Connection: X-Api-Key, Host, close', 'Keep-Alive: timeout=-1'],
  'TE: trailers, x',
].map((line) => fields(line));

const unknownParameters = [
  ...['colour=red', 'colour=red&colour=blue', '%zz=1', '&&&', '=', '?', '__proto__=x', 'constructor[prototype]=x'],
  ...['%00=%00', 'a=b;c=d', 'x'.repeat(8000)],
];

/**
 * Unknown parameters are ignored. They change neither the response to a valid read nor the error for an invalid write.
 */
function oddCases(target: Target): Case[] {
  const { harmless, valid, isRead } = target;
  if (!harmless) return [];
  const { parts, ...expected } = harmless;
  const { query = '', headers = valid.headers } = parts;
  const crowd = Array.from({ length: 1500 }, (_, index) => [`x${index}`, ''] as const);
  const odd = (kind: string, more: typeof parts): Case => ({
    ...expected,
    kind,
    call: target.call({ ...parts, ...more }),
  });
  const bodies = isRead ? ['{', '\0', 'x'.repeat(300_000)] : [];
  return [
    ...unknownParameters.map((text) => odd('unknown parameter', { query: query ? `${query}&${text}` : text })),
    ...oddHeaders.map((lines) => odd('odd header', { headers: [...headers, ...lines] })),
    odd('many headers', { headers: [...headers, ...crowd] }),
    ...bodies.map((text) => odd('an unexpected body', { body: Buffer.from(text) })),
  ];
}

/** Rules that the OpenAPI document states only in words. */
function wordedCases(target: Target): Case[] {
  const schema = target.operation.body ?? {};
  const has = (name: string) => name in (schema.properties ?? {});
  const sent = (...members: [string, string][]) =>
    target.call({ body: Buffer.from(jsonOf(new Map([...membersOf(schema), ...members]))) });
  const tooLarge = (name: string, json: string): Case => ({
    kind: 'too large a value',
    call: sent([name, json]),
    statuses: [413],
  });
  const texts = ['x'.repeat(storedBytesMax + 1), 'é'.repeat(storedBytesMax / 2 + 1), '😀'.repeat(storedBytesMax)].map(
    (text) => `"${text}"`,
  );
  const values = [...texts, `"${'\\u0000'.repeat(storedBytesMax / 6)}"`, `[${'0,'.repeat(storedBytesMax)}0]`];
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const counts = ['0', '11', '-1', '2.5', '"3"', 'null', '[]', '{}', 'true', '1e400'];
  return [
    ...(has('cursor') ? texts.map((text) => tooLarge('cursor', text)) : []),
    ...(has('payload')
      ? [...values.map((value) => `{"x":${value}}`), deep].map((payload) => tooLarge('payload', payload))
      : []),
    ...(has('count') ? counts : []).map((count) => ({
      kind: 'worded rule',
      call: sent(['dataset', '"random"'], ['count', count]),
      statuses: [422],
      pointers: ['/count'],
    })),
  ];
}

/** All cases for a program, derived from its OpenAPI document: invalid requests and unusual but harmless requests. */
export function requestCases(subject: Subject): Case[] {
  const targets = targetsOf(subject);
  const cases = targets.flatMap((target) => [
    ...parameterCases(target),
    ...bodyCases(target),
    ...keyCases(target, subject),
    ...originCases(target),
    ...sizeCases(target),
    ...oddCases(target),
    ...wordedCases(target),
  ]);
  return [...withHead(cases), ...placeCases(targets)];
}
