import { expect, test } from 'vitest';
import { compileTemplate } from '../src/template.ts';

const anyName = { isName: () => true, known: 'all names' };
const pointers = { isName: (name: string) => name.startsWith('/'), known: 'JSON Pointers' };
const values: Readonly<Record<string, string>> = { a: 'A', b: 'B', '/app/name': 'web' };

function filled(text: string) {
  return compileTemplate(text, anyName).fill((name) => values[name]);
}

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['{a}', 'A'],
  ['{a}{b}', 'AB'],
  ['x-{a}/y-{b}.z', 'x-A/y-B.z'],
  ['{none}', ''],
  ['x{none}y', 'xy'],
  ['{none|a|b}', 'A'],
  ['{b|a}', 'B'],
  ["{none|'text'}", 'text'],
  ["{none|''|'x'}", 'x'],
  ["{a|'text'}", 'A'],
  ["{'a|b}{'}", 'a|b}{'],
  ["it's {a}, isn't it", "it's A, isn't it"],
  ["{ none | a | 'x' }", 'A'],
  ["{' a '}", ' a '],
  ['a}b', 'a}b'],
  ['{a}}', 'A}'],
  ['{/app/name|/other}', 'web'],
  ['line\n{a}', 'line\nA'],
])('the template %j becomes %j', (text, expected) => {
  expect(filled(text)).toBe(expected);
});

test.each([
  ['{', 'an unclosed "{"'],
  ['x{a', 'an unclosed "{"'],
  ['{a{b}}', 'an unclosed "{"'],
  ["{a|'b}", 'an unclosed "{" or quote'],
  ['{}', 'an empty name in "{}"'],
  ['{a|}', 'an empty name in "{a|}"'],
  ['{|a}', 'an empty name in "{|a}"'],
  ["{a'b'}", 'a name next to quoted text'],
  ["{'a''b'}", 'a name next to quoted text'],
  ['x'.repeat(1025), 'more than 1024 characters'],
])('the template %j is refused', (text, sentence) => {
  expect(() => compileTemplate(text, anyName)).toThrow(sentence);
});

test('an unknown name anywhere in a template causes an error that lists the known names', () => {
  expect(compileTemplate('{/a|/b}', pointers).names).toEqual(['/a', '/b']);
  expect(() => compileTemplate("x{/a}{/b|'y'|c}", pointers)).toThrow('"c" in "x{/a}{/b|\'y\'|c}", which is unknown');
  expect(() => compileTemplate('{c}', pointers)).toThrow('known names: JSON Pointers');
});

test('alternatives after the first value are not resolved', () => {
  const asked: string[] = [];
  const template = compileTemplate('{none|a|b}{b}', anyName);
  template.fill((name) => {
    asked.push(name);
    return values[name];
  });
  expect(asked).toEqual(['none', 'a', 'b']);
});

test.each([
  ['{a|raw}', '[A]'],
  ["{none|b|'text'|raw}", '[B]'],
  ["{none|'raw'}{none|'text'|raw}", 'rawtext'],
  ['{raw}', 'R'],
  ['{raw|a}', 'R'],
])('with raw as the opt-out word, %s becomes %s', (text, expected) => {
  const template = compileTemplate(text, { ...anyName, optOut: 'raw' });
  const texts: Readonly<Record<string, string>> = { ...values, raw: 'R' };
  expect(template.fill((name, isOptedOut) => texts[name] && (isOptedOut ? `[${texts[name]}]` : texts[name]))).toBe(
    expected,
  );
});

test('without an opt-out word, "raw" is an ordinary name', () => {
  const { fill } = compileTemplate('{none|raw}', anyName);
  expect(fill((name, isOptedOut) => (name === 'raw' ? `R ${isOptedOut}` : undefined))).toBe('R false');
});

test.each<[string, string | undefined]>([
  ['{a}', 'a'],
  ['{ a }', 'a'],
  ['{a|b}', undefined],
  ["{a|'b'}", undefined],
  ['{a}{b}', undefined],
  ['x{a}', undefined],
  ['{a}x', undefined],
  ["{'a'}", undefined],
  ['a', undefined],
  ['', undefined],
])('the template %s consists of the single name %s', (text, name) => {
  expect(compileTemplate(text, anyName).onlyName).toBe(name);
});
