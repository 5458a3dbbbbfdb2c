import type { Parameter } from '@shiplog/testing';
import { badChoices, badInstants } from './bad-values.ts';
import type { Case, Target } from './cases.ts';

type Bad = readonly (readonly [kind: string, values: readonly string[]])[];

/** Percent-encodings and strings that are not in the log. */
const oddQueryValues: readonly string[] = [
  ...['', '%', '%zz', '%00', 'a%00b', '%ff', '%c0%af', '%ed%a0%80', '%F0%9F%98%80', '+', '==x', '[]', '{"a":1}'],
  ...['%0d%0aX-Injected:%201', '..%2f..%2fetc%2fpasswd', "'%20or%201=1--", '%25%73%24%7b%7d', 'null'],
  ...['x'.repeat(8000), '%F0%9F%98%80'.repeat(600)],
];
const noText = ['%00', '1%00', '%zz', '1%', '%ff'];

const notDigits: readonly string[] = [
  ...['x', '1.0', '1.5', '0x10', '1_0', '%2B1', '+1', '1+', '%201', '1,2', '[1]', 'true', 'null', 'NaN', '%D9%A1'],
  ...['1e1', 'Infinity', ''],
];

/** Strings that are not the cursor of any page (readings 3.8 and 10.2). */
export const badCursors: readonly string[] = [
  ...['', 'x', '0', '-1', '*', 'null', '%00', '%zz', '%ff', 'LTE=', 'MWUz', 'AA==', '////', 'e30', 'x'.repeat(8000)],
  ...['/', 'x/y', '2026-05-04T09:12:02.000000Z/', 'infinity/00000000-0000-0000-0000-000000000000', '\0'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
];

/** Invalid query values for a parameter. A parameter without rules has no invalid values. */
function badQueryValues({ name, required, schema }: Parameter): Bad {
  const { enum: choices, format, minimum, maximum, minLength, maxLength } = schema;
  const encoded = (texts: readonly string[]) => [...texts.map(encodeURIComponent), ...noText];
  if (choices) return [['enum broken', encoded(badChoices(choices))]];
  // In a query, an unencoded plus sign is a space.
  if (format === 'date-time' || format === 'moment') {
    const bad = badInstants.filter((text) => format === 'date-time' || !/^\d{4}-\d\d-\d\d$/.test(text));
    return [['format broken', [...encoded(bad), '2026-05-04T09:12:02+02:00']]];
  }
  if (name === 'cursor') return [['format broken', badCursors]];
  if (minLength !== undefined && maxLength !== undefined) {
    const tooShort: Bad =
      minLength === 0
        ? []
        : [
            ['empty', ['']],
            ['too short by one', ['x'.repeat(minLength - 1), '%F0%9F%98%80'.repeat(minLength - 1)]],
          ];
    return [...tooShort, ['too long by one', ['x'.repeat(maxLength + 1), '%F0%9F%98%80'.repeat(maxLength + 1)]]];
  }
  if (required) return [['empty', ['']]];
  if (minimum === undefined || maximum === undefined) return [];
  return [
    ['below the limit', [String(minimum - 1), '-1', '-2147483649', '0'.repeat(50)]],
    ['above the limit', [String(maximum + 1), `${maximum}0`]],
    ['huge number', ['1e400', '9007199254740993', '18446744073709551616', '9'.repeat(4000)]],
    ['wrong type', [...notDigits, ...noText]],
  ];
}

function taken(target: Target, query: string, kind = 'odd query'): Case {
  return { kind, call: target.call({ query }), statuses: [200, 304] };
}

/** A case in which the value of the parameter is refused. */
function refused(kind: string, name: string, call: Case['call']): Case {
  return { kind, call, statuses: [422], pointers: [`/${name}`] };
}

/** Cases for a list, which repeats the parameter for each item: an invalid item and one item too many are refused. */
function listCases(target: Target, parameter: Parameter): Case[] {
  const { name, schema } = parameter;
  const { maxItems = 0, items } = schema;
  const { maxLength } = items ?? {};
  if (maxLength === undefined) return namedCases(target, parameter);
  const bad = (kind: string, query: string) => refused(kind, name, target.call({ query }));
  const each = (count: number) => Array(count).fill(`${name}=a`).join('&');
  const fitting = oddQueryValues.filter((value) => value !== '' && value.length < maxLength);
  return [
    ...[`${name}=`, `${name}=a&${name}=`].map((query) => bad('empty', query)),
    bad('pattern broken', `${name}=%5C`),
    ...['x', '%F0%9F%98%80'].map((unit) => bad('too long by one', `${name}=${unit.repeat(maxLength + 1)}`)),
    bad('too many', each(maxItems + 1)),
    ...[each(maxItems), `${name}=${'%F0%9F%98%80'.repeat(maxLength)}`].map((query) => taken(target, query)),
    ...fitting.map((value) => taken(target, `${name}=${value}`)),
  ];
}

/** Cases for a list of known names: enumerated values, or teams (these programs have no teams). */
function namedCases(target: Target, { name, schema: { maxItems = 1, items } }: Parameter): Case[] {
  const choices = items?.enum?.map((choice) => `${name}=${choice}`) ?? [];
  const unknown = [...oddQueryValues, ...badChoices(items?.enum ?? [])].filter((value) => !noText.includes(value));
  const cases = unknown.map((value) => [...choices, `${name}=${encodeURIComponent(value)}`].join('&'));
  const tooMany = Array(maxItems + 1).fill(`${name}=a`);
  return [
    ...[...cases, tooMany.join('&')].map((query) => refused('no such name', name, target.call({ query }))),
    ...[choices.join('&'), `${name}=%00`, `${name}=%ff`].map((query) => taken(target, query)),
  ];
}

function queryCases(target: Target, parameter: Parameter): Case[] {
  if (parameter.schema.type === 'array') return listCases(target, parameter);
  const { name, schema } = parameter;
  const isRefused = (kind: string, query: string) => refused(kind, name, target.call({ query }));
  const bad = badQueryValues(parameter);
  const names = parameter.required ? oddQueryValues.filter((value) => value !== '') : ['', ...oddQueryValues];
  const odd = bad.length > 0 && !parameter.required ? [] : names.map((value) => `${name}=${value}`);
  // An unknown or repeated value counts as the default (reading 5.1).
  const repeated =
    schema.type === undefined && !schema.enum ? (kind: string, query: string) => taken(target, query, kind) : isRefused;
  const repeats = [
    ...['a', '', '%00', '%zz'].map((value) => `${name}=a&${name}=${value}`),
    Array(500).fill(`${name}=a`).join('&'),
    `${name}=a&&x=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=a`,
  ];
  return [
    ...bad.flatMap(([kind, values]) => values.map((value) => isRefused(kind, `${name}=${value}`))),
    ...odd.map((query) => taken(target, query)),
    ...repeats.map((query) => repeated('duplicate parameter', query)),
  ];
}

/** Header values that match no pattern in the contract. Each character up to U+00FF is one byte. */
const badTokens = [
  ...['A', '-a', '.a', '/a', 'a b', 'a_b', 'a,b', 'a;b', '"a"', 'a\tb', '\xe9', '\xc3\xa9', '\xed\xa0\x80'],
  '\xf0\x9f\x98\x80',
];
const oddTexts = [...badTokens, '', '*', 'W/', 'W/"', '"'.repeat(2000), 'W/"x",'.repeat(500), '%00', 'x'.repeat(8000)];

/** The maximum length that a contract pattern allows: one character plus its repetition. */
function longestOf(pattern = ''): number {
  return Number(/\{0,(\d+)\}/.exec(pattern)?.[1]) + 1;
}

function headerCases(target: Target, { name, required, schema }: Parameter): Case[] {
  const { pattern, maxLength = longestOf(pattern) } = schema;
  const call = (...values: string[]) =>
    target.call({ headers: target.headersWith(name, ...values.map((value) => [name, value] as const)) });
  const bad = (kind: string, ...values: string[]) => refused(kind, name, call(...values));
  if (pattern === undefined && Number.isNaN(maxLength)) {
    return oddTexts.map((text) => ({ kind: 'odd header', call: call(text), statuses: [200, 304] }));
  }
  const units = pattern ? ['x'] : ['x', '\xc3\xa9', '\xf0\x9f\x98\x80', '\xff'];
  return [
    ...(required ? [bad('missing'), bad('empty', ''), bad('empty', ' \t ')] : []),
    ...(pattern ? badTokens.map((text) => bad('pattern broken', text)) : []),
    ...(pattern ? [bad('duplicate header', 'a', 'a')] : []),
    ...units.map((unit) => bad('too long by one', unit.repeat(maxLength + 1))),
    ...units.map((unit) => bad('too long by much', unit.repeat(maxLength * 16))),
  ];
}

/** Path segments without slashes. */
const badSegments: readonly string[] = [
  ...['A', 'a_b', '-', '..', '.', '%2e%2e', 'a%2Fb', 'a%5Cb', '%20', '%00', 'a%00', '%', '%zz', '%ff', '%ed%a0%80'],
  ...['%F0%9F%98%80', '*', '{adapter}', ':id', "'", '~', 'a;x=1', 'a%3Fb', 'a%23b', '__proto__'],
];

function pathCases(target: Target, { name, schema: { pattern } }: Parameter): Case[] {
  // A value without a rule names nothing (readings 1.6, 3.7 and 9.4). An endpoint without a 404 accepts any name.
  const ofNothing = target.operation.statuses.includes(404) ? 404 : 200;
  const answer = (segment: string): Pick<Case, 'statuses' | 'pointers'> => {
    if (segment === '') return { statuses: [404] };
    return pattern === undefined ? { statuses: [ofNothing] } : { statuses: [422], pointers: [`/${name}`] };
  };
  const spoilt = (kind: string, segment: string): Case => ({
    kind,
    call: target.call({ segments: { ...target.valid.segments, [name]: segment } }),
    ...answer(segment),
  });
  return [
    spoilt('empty', ''),
    ...badSegments.map((segment) => spoilt('bad path parameter', segment)),
    spoilt('too long by one', 'a'.repeat((pattern ? longestOf(pattern) : 200) + 1)),
    ...['a'.repeat(10_000), '%61'.repeat(4000)].map((segment) => spoilt('too long by much', segment)),
  ];
}

/** Cases that each break one rule of a parameter, and unusual values for parameters without rules. */
export function parameterCases(target: Target): Case[] {
  const makers = { path: pathCases, query: queryCases, header: headerCases };
  return target.operation.parameters.flatMap((parameter) => makers[parameter.in](target, parameter));
}
