import { runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePatterns } from '../src/pattern.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '/', '.'), minLength: 1, maxLength: 3 });
const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
});
const part = fc.oneof(
  text.map((written) => ({ written: () => written, regex: written.replace(/[/.]/g, '\\$&') })),
  fc.constant({ written: () => '*', regex: '[^/]*?' }),
  fc.constant({ written: () => '**', regex: '[^]*?' }),
  fc.constant({ written: () => '?', regex: '[^]' }),
  fc.constant({ written: (name: string) => `{${name}}`, regex: '([^/]+?)' }),
  words.map((list) => ({ written: (name: string) => `{${name}:${list.join('|')}}`, regex: `(${list.join('|')})` })),
);

test('a pattern matches and captures like the equivalent regular expression', () => {
  const parts = fc.array(part, { minLength: 1, maxLength: 5 });
  const value = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '-', '/'), maxLength: 8 });
  fc.assert(
    fc.property(parts, value, (list, written) => {
      const pattern = list.map((one, index) => one.written(`x${index}`)).join('');
      // Two adjacent wildcards would form a different pattern.
      fc.pre(list.every(({ regex }, index) => !(regex.endsWith('*?') && list[index + 1]?.regex.endsWith('*?'))));
      const expected = new RegExp(`^${list.map(({ regex }) => regex).join('')}$`, 'iu').exec(written);
      const captures = compilePatterns([pattern]).match(written);
      expect(captures && [...captures.values()]).toEqual(expected?.slice(1));
    }),
    { numRuns: runs(3000) },
  );
});
