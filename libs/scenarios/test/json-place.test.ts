import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonErrorPosition } from '../src/json-error-position.ts';

test.each([
  ['', 1, 1],
  ['{"a":}', 1, 6],
  ['{"a":1,}', 1, 8],
  ['{"a" 1}', 1, 6],
  ['{a:1}', 1, 2],
  ['[1 2]', 1, 4],
  ['[1,]', 1, 4],
  ['[1,,2]', 1, 4],
  ['1,2', 1, 2],
  ['{,}', 1, 2],
  ['{"a"::1}', 1, 6],
  ['[1', 1, 3],
  ['[]]', 1, 3],
  ['[}', 1, 2],
  ['{"a":[1,{"b":2]}}', 1, 15],
  ['1 2', 1, 3],
  ['"a\\x"', 1, 1],
  ['["a\nb"]', 1, 2],
  ['[01]', 1, 3],
  ['{\n  "events": [\n    tru\n  ]\n}', 3, 5],
])('%j stops being JSON at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonErrorPosition(text)).toEqual({ line, column });
});

test('valid JSON has no error position', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const lines = text.split('\n');
      expect(jsonErrorPosition(text)).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
    }),
  );
});
