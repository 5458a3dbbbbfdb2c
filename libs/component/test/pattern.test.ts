import { expect, test } from 'vitest';
import { compilePatterns, spansOf, type Token } from '../src/pattern.ts';

function match(value: string, ...patterns: readonly string[]) {
  const captures = compilePatterns(patterns).match(value);
  return captures && Object.fromEntries(captures);
}

test.each<[string, string, boolean]>([
  ['acme/web', 'acme/web', true],
  ['acme/web', 'acme/web2', false],
  ['acme/web', 'x-acme/web', false],
  ['acme/web', 'ACME/Web', true],
  ['ACME/Web', 'acme/web', true],
  ['straße', 'STRASSE', false],
  ['é', 'É', false],
  ['k', '\u212a', false],
  ['acme/*', 'acme/web', true],
  ['acme/*', 'acme/', true],
  ['acme/*', 'acme/pf/web', false],
  ['acme/**', 'acme/pf/web', true],
  ['acme/**', 'acme', false],
  ['**/web', 'a/b/web', true],
  ['*', '', true],
  ['**', '', true],
  ['***', 'a/b', true],
  ['pr-*', 'pr-', true],
  ['*-eu-*', 'a-eu-eu-b', true],
  ['v?', 'v1', true],
  ['v?', 'v', false],
  ['v?', 'v10', false],
  ['a?b', 'a/b', true],
  ['v?', 'v😀', true],
  ['v??', 'v😀', false],
  ['a.b', 'axb', false],
  ['a+(b)[c]$^\\', 'a+(b)[c]$^\\', true],
  ['a}', 'a}', true],
  ['{x}', 'a/b', false],
  ['{x}', '', false],
  ['a*{x}', 'ab', true],
  ['{env:dev|prod}', 'PROD', true],
  ['{env:dev|prod}', 'production', false],
])('the pattern %s matches %s: %s', (pattern, value, expected) => {
  expect(match(value, pattern) !== undefined).toBe(expected);
});

test.each<[string, string, Record<string, string> | undefined]>([
  ['{svc}-{env:dev|staging|prod}', 'order-svc-prod', { svc: 'order-svc', env: 'prod' }],
  ['{a}-{b}', 'x-y-z', { a: 'x', b: 'y-z' }],
  ['{a}{b}', 'xyz', { a: 'x', b: 'yz' }],
  ['*{a}', 'xyz', { a: 'xyz' }],
  ['{a}*', 'xyz', { a: 'x' }],
  ['acme/{r}', 'ACME/Web', { r: 'Web' }],
  ['{env:dev|prod}', 'PrOd', { env: 'PrOd' }],
  ['{a:x|xy}{b}', 'xyz', { a: 'x', b: 'yz' }],
  ['{a:xy|x}{b}', 'xyz', { a: 'xy', b: 'z' }],
  ['{a:x|xy}z', 'xyz', { a: 'xy' }],
  ['{a}-😀-{b}', 'é-😀-👍', { a: 'é', b: '👍' }],
  ['{a}-{b}', 'x/y-z', undefined],
])('the pattern %s captures parts of %s', (pattern, value, captures) => {
  expect(match(value, pattern)).toEqual(captures);
});

test.each<[string, readonly string[], boolean]>([
  ['acme/web', ['acme/api', 'acme/*'], true],
  ['acme/legacy-web', ['acme/*', '!acme/legacy-*'], false],
  ['acme/legacy-web', ['!acme/legacy-*', 'acme/*'], false],
  ['acme/legacy-web', ['acme/*', '!acme/LEGACY-*', 'acme/legacy-web'], false],
  ['acme/web', ['acme/*', '!acme/legacy-*', '!acme/old-*'], true],
  ['other/web', ['acme/*', '!acme/legacy-*'], false],
])('the value %s matches the list %j: %s', (value, patterns, expected) => {
  expect(match(value, ...patterns) !== undefined).toBe(expected);
});

test('a list of patterns returns the captures of the first matching pattern', () => {
  const patterns = ['x-{a}', 'pr-{b}', '{c}'];
  expect([...compilePatterns(patterns).names]).toEqual(['a', 'b', 'c']);
  expect(match('pr-7', ...patterns)).toEqual({ b: '7' });
});

test.each<[readonly string[], string]>([
  [[''], 'empty pattern'],
  [['!'], 'has only patterns with "!"'],
  [['a', '!'], 'empty pattern'],
  [[], 'has only patterns with "!"'],
  [['!a'], 'has only patterns with "!"'],
  [['a{x'], 'an unclosed "{" in "a{x"'],
  [['{a{b}}'], 'an unclosed "{"'],
  [['{}'], 'the capture "{}"'],
  [['{1a}'], 'letters, digits and _, starting with a letter'],
  [['{a-b}'], 'letters, digits and _'],
  [['{__proto__}'], 'letters, digits and _'],
  [['{x}-{x}'], 'captures "x" twice'],
  [['{x}-{x:a}'], 'captures "x" twice'],
  [['{repo}'], 'the name of a variable'],
  [['{run_url}'], 'the name of a variable'],
  [['{x:}'], 'the word "" in "{x:}"'],
  [['{x:a|}'], 'the word ""'],
  [['{x:a|b*}'], 'the word "b*"'],
  [['a', '!{x}'], 'captures "x" in a pattern with "!"'],
  [['a'.repeat(257)], 'more than 256 characters'],
])('the patterns %j are refused', (patterns, sentence) => {
  expect(() => compilePatterns(patterns, (name) => ['repo', 'run_url'].includes(name))).toThrow(sentence);
});

test('a pattern accepts 256 characters and counts an emoji as one', () => {
  const value = '😀'.repeat(256);
  expect(match(value, value)).toEqual({});
});

test('a value of 10 000 characters can match, but a longer value cannot', () => {
  expect(match('a'.repeat(10_000), '**')).toEqual({});
  expect(match('a'.repeat(10_001), '**')).toBeUndefined();
});

/** Returns the same characters and counts how many times each one is read. */
function counted(characters: readonly string[]) {
  let reads = 0;
  const get = (target: readonly string[], key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
    return Reflect.get(target, key);
  };
  return { characters: new Proxy(characters, { get }), reads: () => reads };
}

test.each<[string, readonly Token[]]>([
  [
    'runs',
    [
      { kind: 'run', slashes: false },
      { kind: 'character', character: 'a' },
    ],
  ],
  [
    'captures',
    [
      { kind: 'capture', name: 'x' },
      { kind: 'character', character: 'a' },
    ],
  ],
  ['words', [{ kind: 'words', name: 'x', words: [['a'], ['a', 'a'], ['a', 'a', 'a']] }]],
])('matching %s reads each character only a bounded number of times', (_, once) => {
  const value = counted([...Array(500).fill('a'), 'b']);
  const tokens = Array.from({ length: 40 }, () => once).flat();
  expect(spansOf(tokens, value.characters)).toBeUndefined();
  const perPart = 6;
  expect(value.reads()).toBeGreaterThan(0);
  expect(value.reads()).toBeLessThanOrEqual(perPart * tokens.length * 501);
});
