import type { Schema } from '@shiplog/testing';

/** A JSON value that a schema rejects. */
export interface BadValue {
  readonly kind: string;
  /** The JSON text, because some values don't exist in JavaScript. */
  readonly json: string;
  /** The pointers to the errors within the value. */
  readonly pointers: readonly string[];
}

const depth = 10_000;
const deepArray = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deepObject = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const digits = '9'.repeat(400);

interface Literals {
  readonly kind: string;
  /** Values by type. Each value is invalid for every other type. */
  readonly types: readonly string[];
  readonly texts: readonly string[];
}

const literals: readonly Literals[] = [
  { kind: 'null', types: [], texts: ['null'] },
  { kind: 'wrong type', types: ['boolean'], texts: ['true', 'false'] },
  { kind: 'wrong type', types: ['integer'], texts: ['7', '-0', '1.5', '1e-400'] },
  { kind: 'huge number', types: ['integer'], texts: ['1e309', '-1e400', '9007199254740993', digits] },
  { kind: 'wrong type', types: ['string'], texts: ['"x"', '""', '"7"', '"true"', '"null"'] },
  { kind: 'wrong type', types: ['array'], texts: ['[]', '["x"]', '[[]]', '[null]'] },
  {
    kind: 'wrong type',
    types: ['object'],
    texts: ['{}', '{"x":1}', '{"toString":1}', '{"__proto__":"x"}', '{"length":1}'],
  },
  { kind: 'deep nesting', types: ['array'], texts: [deepArray] },
  { kind: 'deep nesting', types: ['object'], texts: [deepObject] },
];

/** Invalid RFC 3339 (reading 1.7). */
export const badInstants: readonly string[] = [
  ...['', 'now', '1777885922', '2026-05-04', '2026-05-04T09:12:02', '2026-05-04T09:12Z', '2026-05-04 09:12:02Z'],
  ...['2026-05-04T09:12:02.Z', '2026-05-04T09:12:02+0200', '2026-05-04T09:12:02+24:00', '2026-02-30T09:12:02Z'],
  ...['2026-05-04T24:00:00Z', '2026-05-04T09:12:60Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'],
  ...['+10000-01-01T00:00:00Z', '2026-05-04T09:12:02Z ', `2026-05-04T09:12:02.${'9'.repeat(300)}`],
];

const badFormats: Readonly<Record<string, readonly string[]>> = {
  'date-time': badInstants,
  uri: [
    ...['', 'x', '/runs/7', '//ci.example.com/7', '://x', 'https:// x', 'https://x/\u0001', 'https://x/%zz'],
    '1https://x',
  ],
};

/** Strings that PostgreSQL can't store (reading 1.6). */
const unstorable = ['\\u0000', 'a\\u0000b', '\\ud800', 'a\\udfffb', '\\udc00\\ud800', '\\ud800\\ud800'].map(
  (text) => `"${text}"`,
);

/** Strings that are similar to the values of an enumeration. */
export function badChoices(choices: readonly string[]): string[] {
  const like = choices.flatMap((one) => [one.toUpperCase(), ` ${one}`, `${one} `, `${one}s`, one.slice(0, -1)]);
  return ['', ...like, [...choices, choices[0]].join(','), '*', 'x'.repeat(1000), 'constructor', '__proto__'];
}

function whole(kind: string, texts: readonly string[]): BadValue[] {
  return texts.map((json) => ({ kind, json, pointers: [''] }));
}

function wrongTypes({ type, nullable, enum: choices }: Schema): BadValue[] {
  const own = type ?? (choices && 'string');
  if (own === undefined) return [];
  return literals
    .filter(({ kind, types }) => !types.includes(own) && !(nullable && kind === 'null'))
    .flatMap(({ kind, texts }) => whole(kind, texts));
}

/** The maximum size of a string. A body has at most 256 KiB, including its other members. */
const textBytesMax = 250 * 1024;

function badTexts({ minLength = 0, maxLength, pattern, format = '', enum: choices = [] }: Schema): BadValue[] {
  const start = format === 'uri' ? 'https://x/' : '';
  const units = start ? ['x'] : ['x', 'é', '😀', '\\ud83d\\ude00'];
  // A string above the size limit of a body is never validated.
  const long = (length: number) =>
    units
      .map((unit) => `"${start}${unit.repeat(length - start.length)}"`)
      .filter((text) => Buffer.byteLength(text) < textBytesMax);
  const written = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
  return [
    ...(minLength > 0 ? whole('empty', ['""']) : []),
    ...(maxLength ? whole('too long by one', long(maxLength + 1)) : []),
    ...(maxLength ? whole('too long by much', long(maxLength * 4)) : []),
    ...(pattern ? whole('NUL or lone surrogate', unstorable) : []),
    ...whole('format broken', written(badFormats[format] ?? [])),
    ...(choices.length > 0 ? whole('enum broken', written(badChoices(choices))) : []),
  ];
}

function badIntegers({ minimum = 0, maximum = 0 }: Schema): BadValue[] {
  return [
    ...whole('wrong type', ['1.5', '-0.1']),
    ...whole('huge number', ['1e309', '-1e400', '9007199254740993', digits]),
    ...whole('below the limit', [String(minimum - 1), '-2147483649']),
    ...whole('above the limit', [String(maximum + 1), `${maximum}0`]),
  ];
}

function badArrays({ items = {}, maxItems = 0, uniqueItems }: Schema): BadValue[] {
  const named = (count: number) => `[${Array.from({ length: count }, (_, index) => `"item-${index}"`)}]`;
  return [
    ...whole('too long by one', [named(maxItems + 1)]),
    ...whole('too long by much', [named(5000)]),
    ...(uniqueItems ? whole('duplicate item', ['["a","a"]', '["a","b","\\u0061"]']) : []),
    ...badValues(items).map(({ kind, json }) => ({ kind, json: `["item",${json}]`, pointers: ['/1'] })),
    { kind: 'deep nesting', json: `[${deepArray},${deepArray}]`, pointers: ['/0', '/1'] },
  ];
}

/** Values that each break one rule of a schema. */
export function badValues(schema: Schema): BadValue[] {
  const { type, enum: choices } = schema;
  return [
    ...wrongTypes(schema),
    ...(type === 'string' || choices ? badTexts(schema) : []),
    ...(type === 'integer' ? badIntegers(schema) : []),
    ...(type === 'array' ? badArrays(schema) : []),
  ];
}
