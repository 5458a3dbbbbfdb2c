import { deflateSync, gzipSync } from 'node:zlib';
import type { Schema } from '@shiplog/testing';
import { badValues } from './bad-values.ts';
import type { Case, Target } from './cases.ts';
import { jsonOf, membersOf } from './document.ts';

/** A body and the pointers to its errors. The default is the empty pointer. */
type BadBody = readonly [kind: string, body: string | Buffer, pointers?: readonly string[]];

/** The maximum number of errors that a response lists. The `detail` has the number of all errors. */
const errorsMax = 100;

const pointerOf = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Unknown names and misspelled known names. */
export const unknownNames: readonly string[] = [
  ...['colour', 'id', '', ' ', '0', '__proto__', 'constructor', 'toString', 'a/b', 'a~b', 'a\0b', '😀', '$ref', '"'],
  '\u2028',
  'x'.repeat(10_000),
];
const respelt = (name: string) => [name.toUpperCase(), `${name} `, ` ${name}`, `${name}\0`, `${name}s`];

/** Missing, wrong, unknown and duplicate members. The last of several duplicate members counts (reading 1.1). */
function badMembers({ properties = {}, required = [] }: Schema, members: Map<string, string>): BadBody[] {
  const own = Object.entries(properties).flatMap(([name, schema]) =>
    badValues(schema).map((bad) => ({ name, ...bad })),
  );
  const firsts = own.filter(({ name }, index) => own.findIndex((bad) => bad.name === name) > index - 4);
  const unknown = [...unknownNames, ...Object.keys(properties).flatMap(respelt)];
  const crowd = Array.from({ length: 2000 }, (_, index) => [`m${index}`, '0'] as const);
  const without = (left: string) => [...members].filter(([name]) => name !== left);
  const below = (name: string, pointers: readonly string[]) => pointers.map((pointer) => pointerOf(name) + pointer);
  const needed = required.map(pointerOf);
  return [
    ...own.map(({ kind, name, json, pointers }): BadBody => {
      return [kind, jsonOf(new Map(members).set(name, json)), below(name, pointers)];
    }),
    ...firsts.map(({ name, json, pointers }): BadBody => {
      return ['duplicate member', jsonOf([...members, [name, json]]), below(name, pointers)];
    }),
    ...unknown.map((name): BadBody => ['unknown member', jsonOf([...members, [name, '"x"']]), [pointerOf(name)]]),
    ['unknown member', jsonOf([...members, ...crowd]), crowd.slice(0, errorsMax).map(([name]) => pointerOf(name))],
    ['unknown member', `{"__proto__":${jsonOf(members)}}`, ['/__proto__', ...needed]],
    ...required.map((name): BadBody => ['missing', jsonOf(without(name)), [pointerOf(name)]]),
    ...(required.length > 0 ? [['missing', '{}', needed] as const] : []),
  ];
}

const noObjects: readonly string[] = [
  ...['[]', 'null', 'true', '7', '-0', '1e400', '"x"', ' ', '\r\n\t', 'NaN', 'undefined', "{'a':1}", '{a:1}', '{"a":}'],
  ...['{"a":1,}', '{"a" 1}', '{,}', '{"a":01}', '{"a":+1}', '{"a":.5}', '{"a":1.}', '{"a":0x1}', '{"a":"\n"}'],
  ...['{"a":"\\x41"}', '{"a":"\\u12"}', 'a=b&c=d', '<a/>', '---\na: b', '--x\r\n\r\n{}\r\n--x--'],
];

/** Bytes in a string that are not UTF-8: Latin-1, overlong, a surrogate, above U+10FFFF, truncated. */
const noUtf8 = ['\xe9', '\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe2\x82'];

function otherEncodings(json: string): Buffer[] {
  const [littleEndian, bigEndian] = [Buffer.from(json, 'utf16le'), Buffer.from(json, 'utf16le').swap16()];
  return [
    littleEndian,
    bigEndian,
    Buffer.from(`\ufeff${json}`, 'utf16le'),
    Buffer.from(`\ufeff${json}`, 'utf16le').swap16(),
    Buffer.from(`\ufeff${json}`),
    Buffer.from([...littleEndian].flatMap((byte) => [byte, 0])),
    ...noUtf8.map((bytes) => Buffer.from(`{"a":"${bytes}"}`, 'latin1')),
    Buffer.alloc(1000),
  ];
}

/**
 * Bodies that are not JSON objects in UTF-8: various texts and encodings, and then a valid body with each byte changed
 * in turn.
 */
function noJsonObjects(json: string): BadBody[] {
  const bytes = Buffer.from(json);
  const nested = ['[', '{"a":', '{"a":['].map((opening) => opening.repeat(30_000));
  const spoiltBy = (byte: number) =>
    [...bytes.keys()].map((at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + 1)]));
  const around = [
    `[${json}]`,
    JSON.stringify(json),
    `${json}x`,
    `${json}${json}`,
    `${json}//`,
    `/**/${json}`,
    `)]}',\n${json}`,
  ];
  return [
    ...[...noObjects, ...around].map((text): BadBody => ['no JSON object', text]),
    ...[...nested, `${'['.repeat(100_000)}${']'.repeat(100_000)}`].map((text): BadBody => ['deep nesting', text]),
    ...otherEncodings(json).map((body): BadBody => ['encoding', body]),
    ...[...bytes.keys()].slice(1).map((end): BadBody => ['cut off', bytes.subarray(0, end)]),
    ...spoiltBy(0x00).map((body): BadBody => ['a NUL byte', body]),
    ...spoiltBy(0xff).map((body): BadBody => ['invalid UTF-8', body]),
  ];
}

/** A body is parsed as JSON whatever its `Content-Type` is (reading 1.1). */
function claims(json: string): (readonly [field: string, value: string, body: string | Buffer])[] {
  const types = [
    ...['', 'text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded'],
    ...['multipart/form-data', '/', ';', '\xff', 'a'.repeat(5000)],
  ];
  return [
    ...types.map((type) => ['Content-Type', type, '{'] as const),
    ['Content-Encoding', 'gzip', gzipSync(json)],
    ['Content-Encoding', 'deflate', deflateSync(json)],
    ['Content-Encoding', 'x', '{'],
  ];
}

/** Bodies that each break one rule in the OpenAPI document. */
export function bodyCases(target: Target): Case[] {
  const { body: schema, bodyRequired, parameters } = target.operation;
  if (!schema) return [];
  const { headers } = target.valid;
  const members = membersOf(schema);
  const json = jsonOf(members);
  const refused = ([kind, body, pointers = ['']]: BadBody, more: Parameters<Target['call']>[0] = {}): Case => ({
    kind,
    call: target.call({ body: Buffer.from(body), ...more }),
    statuses: [422],
    pointers,
  });
  const ruled = parameters.filter((one) => one.in === 'header' && one.schema.pattern !== undefined);
  return [
    ...badMembers(schema, members).map((bad) => refused(bad)),
    ...noJsonObjects(json).map((bad) => refused(bad)),
    ...(bodyRequired ? [refused(['empty', ''])] : []),
    ...claims(json).map(([field, value, body]) => refused([field, body], { headers: [...headers, [field, value]] })),
    // Errors in the body and the headers are reported together (reading 1.2).
    ...ruled.map(({ name }) =>
      refused(['two faults', '{', ['', `/${name}`]], { headers: target.headersWith(name, [name, 'NO']) }),
    ),
  ];
}
