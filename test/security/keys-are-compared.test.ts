import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Keys } from '@shiplog/server';
import { expect, onTestFinished, test, vi } from 'vitest';

/** SHA-256. */
const digestBytes = 32;

/** Records all constant-time comparisons until the end of the test. */
function watchComparisons(): { readonly lengths: number[] } {
  const lengths: number[] = [];
  const compare = crypto.timingSafeEqual;
  const spy = vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((a, b) => {
    lengths.push(a.byteLength, b.byteLength);
    return compare(a, b);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return { lengths };
}

/**
 * Timings are noisy on a shared machine, so this test counts comparisons: for every key sent, `timingSafeEqual` must
 * compare the same number of digests of the same length. Only a review can ensure that no other code compares keys.
 */
test.each([
  ['the first valid key', 'first-valid-key', true],
  ['the second valid key', 'second-valid-key', true],
  ['a key that differs in its first character', 'xirst-valid-key', false],
  ['a key that differs in its last character', 'first-valid-kex', false],
  ['one character', 'f', false],
  ['nothing', '', false],
  ['a key longer than a header can be', 'f'.repeat(100_000), false],
  ["bytes that aren't UTF-8", '\xff\xfe', false],
])('%s is compared with every valid key, using digests of equal length', (_, offered, isValid) => {
  const keys = new Keys({ api: ['first-valid-key', 'second-valid-key'], control: ['other'] });
  const { lengths } = watchComparisons();
  expect(keys.accepts('api', offered)).toBe(isValid);
  expect(lengths).toEqual(Array.from({ length: 2 * 2 }, () => digestBytes));
});
