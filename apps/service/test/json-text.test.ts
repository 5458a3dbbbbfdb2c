import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactText, memberText } from '../src/domain/json-text.ts';

test.each<[text: string, name: string, member: string | undefined]>([
  ['{}', 'payload', undefined],
  [' { } ', 'payload', undefined],
  ['{"payload":1.0}', 'payload', '1.0'],
  ['{"payload":-0}', 'payload', '-0'],
  ['{"payload":9007199254740993}', 'payload', '9007199254740993'],
  ['{"payload":1E400,"a":2}', 'payload', '1E400'],
  ['{"payload":null}', 'payload', 'null'],
  ['{"payload":""}', 'payload', '""'],
  ['{"payload":"\\u0000\\ud800"}', 'payload', '"\\u0000\\ud800"'],
  ['{"payload":{}}', 'payload', '{}'],
  ['\n{\t"payload"\r:\n {"b" : 2, "a" : [ ] } , "z": 1 }\n', 'payload', '{"b" : 2, "a" : [ ] }'],
  ['{"a":{"payload":1},"payload":2}', 'payload', '2'],
  ['{"a":{"payload":1}}', 'payload', undefined],
  ['{"a":["payload",1],"b":"payload"}', 'payload', undefined],
  ['{"payload":1,"payload":[2],"payload":{"c":3}}', 'payload', '{"c":3}'],
  ['{"payload":1,"pay\\u006coad":2}', 'payload', '2'],
  ['{"pay\\u006coad":{"a":1}}', 'payload', '{"a":1}'],
  ['{"a":"\\\\","payload":1}', 'payload', '1'],
  ['{"a":"\\"","payload":1}', 'payload', '1'],
  ['{"a":"},{","payload":"]}"}', 'payload', '"]}"'],
  ['{"payload":[[[{"a":[]}]]],"b":1}', 'payload', '[[[{"a":[]}]]]'],
  ['{"\\"":1,"\\\\":2}', '\\', '2'],
  ['{"":1}', '', '1'],
  ['{"__proto__":{"a":1}}', '__proto__', '{"a":1}'],
  ['{"Payload":1,"payload ":2}', 'payload', undefined],
])('in the object %j, the member %j has the text %j', (text, name, member) => {
  expect(memberText(text, name)).toBe(member);
});

test.each([
  ['{}', '{}'],
  [' { } ', '{}'],
  ['{ "a" :\t1.0 ,\r\n"b" : [ 1 , 2 ] }', '{"a":1.0,"b":[1,2]}'],
  ['{"a b" : " c \\" d \\\\" , "e": "\\n"}', '{"a b":" c \\" d \\\\","e":"\\n"}'],
  ['[ "\u00a0" , "\u2028" , "\ufeff" ]', '["\u00a0","\u2028","\ufeff"]'],
  ['" "', '" "'],
  [' 1 ', '1'],
])('the compact text of %j is %j', (text, compact) => {
  expect(compactText(text)).toBe(compact);
});

/** One token of a JSON text and the white space before it. */
interface Spaced {
  readonly space: string;
  readonly token: string;
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const spaced = (token: string) => space.map((space): Spaced => ({ space, token }));

/** Characters that have a different meaning inside a string. */
const stringToken = fc
  .array(
    fc.constantFrom(
      ...['a', ' ', 'é', '\u{1f6a2}', '\ud800', '\u2028', '{', '}', '[', ']', ',', ':', '/'],
      ...['\\"', '\\\\', '\\/', '\\n', '\\t', '\\u0000', '\\u0022', '\\ud83d\\udea2', '\\udfff', '\\u005C'],
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `"${pieces.join('')}"`);
/** A few names, each written in several ways, so that they collide. */
const nameToken = fc.oneof(
  { arbitrary: fc.constantFrom('"payload"', '"pay\\u006coad"', '"a"', '"\\u0061"', '""', '"__proto__"'), weight: 4 },
  stringToken,
);
const literalToken = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '-1.5E+10',
  '1e400',
  '9007199254740993',
  'true',
  'false',
  'null',
);

function between(open: string, items: fc.Arbitrary<Spaced[]>, close: string): fc.Arbitrary<Spaced[]> {
  return fc
    .tuple(spaced(open), fc.array(fc.tuple(spaced(','), items), { maxLength: 5 }), spaced(close))
    .map(([opening, list, closing]) => [
      opening,
      ...list.flatMap(([comma, item], index) => (index === 0 ? item : [comma, ...item])),
      closing,
    ]);
}

const { value } = fc.letrec<{ value: Spaced[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: fc.oneof(literalToken, stringToken).chain((token) => spaced(token).map((one) => [one])), weight: 3 },
    { arbitrary: between('[', tie('value'), ']'), weight: 1 },
    { arbitrary: between('{', memberOf(tie('value')), '}'), weight: 1 },
  ),
}));

function memberOf(value: fc.Arbitrary<Spaced[]>): fc.Arbitrary<Spaced[]> {
  return fc.tuple(nameToken.chain(spaced), spaced(':'), value).map(([name, colon, tokens]) => [name, colon, ...tokens]);
}

const textOf = (tokens: readonly Spaced[]) => tokens.map(({ space, token }) => space + token).join('');
const compactOf = (tokens: readonly Spaced[]) => tokens.map(({ token }) => token).join('');

test('the compact text of any JSON has the same tokens without white space', () => {
  fc.assert(
    fc.property(value, space, (tokens, end) => {
      const text = textOf(tokens) + end;
      expect(JSON.parse(compactText(text))).toEqual(JSON.parse(text));
      expect(compactText(text)).toBe(compactOf(tokens));
    }),
    { numRuns: 2000 },
  );
});

test('the text of any member is unchanged and equals the result of JSON.parse', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(spaced(','), memberOf(value)), { maxLength: 6 }), space, (members, end) => {
      const inside = members
        .map(([comma, tokens], index) => textOf(index === 0 ? tokens : [comma, ...tokens]))
        .join('');
      const text = `${end}{${inside}${end}}${end}`;
      const parsed: Record<string, unknown> = JSON.parse(text);
      const names = [...Object.keys(parsed), 'payload', 'absent'];
      for (const name of names) {
        const named = members.map(([, tokens]) => tokens).filter(([first]) => JSON.parse(first?.token ?? '') === name);
        const sent = named.at(-1)?.slice(2);
        expect(memberText(text, name)).toBe(sent && textOf(sent).slice(sent[0]?.space.length));
        if (Object.hasOwn(parsed, name)) expect(JSON.parse(memberText(text, name) ?? '')).toEqual(parsed[name]);
      }
    }),
    { numRuns: 2000 },
  );
});
