import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeUnsafe, escapeUnsafeJson, plain, replaceUnsafe } from '../src/safe-text.ts';

const hostile = ['\u001b', '\r\n', '\u0085', '\u200b', '\u202e', '\u2066', '\u2028', '\ufeff', '\ud800', '\u{e0041}'];
const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '"', '\\', '\u{1f6a2}', ...hostile), maxLength: 12 });

test('escaped text has no unsafe character, and escaping it again changes nothing', () => {
  fc.assert(
    fc.property(text, (given) => {
      for (const shown of [
        escapeUnsafe(given),
        plain(given),
        replaceUnsafe(given),
        escapeUnsafeJson(JSON.stringify(given)),
      ]) {
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
      expect(escapeUnsafe(escapeUnsafe(given))).toBe(escapeUnsafe(given));
    }),
  );
});

test('escaped JSON has the same value', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(JSON.parse(escapeUnsafeJson(JSON.stringify(given)))).toBe(given);
    }),
  );
});

test('text without unsafe characters stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '日', '\u{1f6a2}', '"', '\\', '<') }), (given) => {
      expect([escapeUnsafe(given), plain(given), replaceUnsafe(given)]).toEqual([given, given, given]);
    }),
  );
});

test.each([
  ['\u202egnp', '\\u{202e}gnp', '\\u{202e}gnp'],
  ['a\r\nb', 'a\\u{d}\\u{a}b', 'a b'],
  ['a\u{e0041}', 'a\\u{e0041}', 'a\\u{e0041}'],
])('the text %j is shown as %j, and on one line as %j', (given, escaped, oneLine) => {
  expect([escapeUnsafe(given), plain(given)]).toEqual([escaped, oneLine]);
});
