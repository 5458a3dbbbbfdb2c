import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyDigest, newKey, parseKey } from '../src/named-key.ts';

const vectors = [
  {
    id: '00000000',
    bytes: new Uint8Array(32),
    key: 'shl_00000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1H5Gxy',
    digest: 'ac03ffd58f30629a0a7ac64c9d098b9b51fdb95edcc9b4599fb1bd529b4510e3',
  },
  {
    id: 'k7f3q2xa',
    bytes: Uint8Array.from({ length: 32 }, (_, index) => index),
    key: 'shl_k7f3q2xa_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh82eYMxW',
    digest: '1600294c7811202b5997d54a8c410ded4adaa5b17119d9d0d154f763149d4f3e',
  },
];

test.each(vectors)('the vector of $id (access 9.3)', ({ id, bytes, key, digest }) => {
  expect(newKey(id, bytes)).toBe(key);
  expect(parseKey(key)).toEqual({ id });
  expect(keyDigest(key)).toBe(digest);
});

test('a new key has 62 characters, its own id, and a correct checksum', () => {
  const keys = Array.from({ length: 50 }, () => newKey());
  for (const key of keys) {
    expect(key).toMatch(/^shl_[a-z0-9]{8}_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
    expect(parseKey(key)).toEqual({ id: key.slice(4, 12) });
  }
  expect(new Set(keys).size).toBe(50);
});

test('no key with one character changed is accepted', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const position = fc.nat({ max: 61 });
  const character = fc.constantFrom(...'abcXYZ019_-');
  fc.assert(
    fc.property(bytes, position, character, (secret, at, other) => {
      const key = newKey('k7f3q2xa', secret);
      const changed = key.slice(0, at) + other + key.slice(at + 1);
      expect(parseKey(changed)).toEqual(changed === key ? { id: 'k7f3q2xa' } : undefined);
    }),
  );
});

test.each([
  '',
  'shl_',
  'a shared key',
  ` ${vectors[0]?.key}`,
  `${vectors[0]?.key}\n`,
  vectors[0]?.key.toUpperCase() ?? '',
])('%j is no named key', (text) => expect(parseKey(text)).toBeUndefined());
