import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { type TokenFault, verifyToken } from '../src/token.ts';
import { readToken } from '../src/token-text.ts';
import { audience, forged, issuers, now, nowSeconds, signed, type TestKey, testKey } from './tokens.ts';

const rsa = await testKey('RS256');
const claims = { iss: issuers.github.url, aud: audience, exp: nowSeconds + 300 };

/** The result of the verification: `accepted`, or why not. */
async function verdict(token: string, keys: readonly JWK[] = [rsa.jwk], at = now): Promise<TokenFault | 'accepted'> {
  const context = { issuers: Object.values(issuers), keysOf: async () => keys, now: at };
  const result = await verifyToken(token, context);
  return 'reason' in result ? result.reason : 'accepted';
}

test('a valid token gives its issuer, claims, key and expiry', async () => {
  const token = await signed(rsa, { repository: 'acme/payments' });
  const context = { issuers: Object.values(issuers), keysOf: async () => [rsa.jwk], now };
  expect(await verifyToken(token, context)).toEqual({
    issuer: issuers.github,
    claims: { ...claims, repository: 'acme/payments' },
    ...{ key: rsa.jwk, kid: 'k1', exp: nowSeconds + 300, nbf: undefined },
  });
});

test('the keys of the issuer are requested by the key id of the token', async () => {
  const asked: unknown[] = [];
  const keysOf = async (...question: unknown[]) => {
    asked.push(question);
    return [rsa.jwk];
  };
  const context = { issuers: Object.values(issuers), keysOf, now };
  await verifyToken(await signed(rsa), context);
  await verifyToken(await signed(rsa, {}, { kid: undefined }), context);
  await verifyToken(forged({ alg: 'none' }, claims, ''), context);
  await verifyToken(forged({ alg: 'RS256' }, { ...claims, iss: 'https://else.example' }), context);
  expect(asked).toEqual([
    [issuers.github, 'k1'],
    [issuers.github, undefined],
  ]);
});

test('an error of the callback reaches the caller', async () => {
  const context = { issuers: Object.values(issuers), keysOf: () => Promise.reject(new Error('503')), now };
  await expect(verifyToken(await signed(rsa), context)).rejects.toThrow('503');
});

describe('algorithms', () => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('%s is accepted', async (alg) => {
    const key = await testKey(alg);
    expect(await verdict(await signed(key), [key.jwk])).toBe('accepted');
    expect(await verdict(await signed(key), [{ ...key.jwk, alg, use: 'sig' }])).toBe('accepted');
  });

  test.each(['RS384', 'RS512', 'PS384', 'ES384', 'ES512'])('%s is refused', async (alg) => {
    const key = await testKey(alg);
    expect(await verdict(await signed(key), [key.jwk])).toBe('algorithm');
  });

  test.each(['none', 'None', 'NONE', 'HS256', '', undefined, null, 1, ['RS256'], 'toString'])('%j is refused', (alg) =>
    expect(verdict(forged({ alg, kid: 'k1' }, claims, alg === 'none' ? '' : 'AAAA'))).resolves.toBe('algorithm'),
  );

  test('HS256 with the public key as its secret is refused', async () => {
    const pem = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const [body] = /^[^.]+\.[^.]+/.exec(forged({ alg: 'HS256', kid: 'k1' }, claims)) ?? [''];
    const signature = createHmac('sha256', pem).update(body).digest('base64url');
    expect(await verdict(`${body}.${signature}`)).toBe('algorithm');
  });
});

describe('keys', () => {
  const other = () => testKey('RS256');

  test.each<[string, JWK]>([
    ['another use', { ...rsa.jwk, use: 'enc' }],
    ['another algorithm', { ...rsa.jwk, alg: 'RS512' }],
    ['another type', { ...rsa.jwk, kty: 'EC' }],
    ['a modulus that is missing', { kty: 'RSA', kid: 'k1', e: 'AQAB' }],
    ['an exponent that is missing', { kty: 'RSA', kid: 'k1', n: rsa.jwk.n ?? '' }],
    ['a secret', { kty: 'oct', k: 'AAAA', kid: 'k1' }],
  ])('a key with %s is unknown', async (_, jwk) => {
    expect(await verdict(await signed(rsa), [jwk])).toBe('unknown-key');
  });

  test.each([1024, 2047])('an RSA key of %i bits is unknown', async (modulusLength) => {
    const pair = generateKeyPairSync('rsa', { modulusLength });
    const jwk = { kid: 'k1', ...(await exportJWK(pair.publicKey)) };
    expect(await verdict(forged({ alg: 'RS256', kid: 'k1' }, claims), [jwk])).toBe('unknown-key');
    // Leading zeros don't make a key longer.
    const n = Buffer.concat([Buffer.alloc(200), Buffer.from(jwk.n ?? '', 'base64url')]).toString('base64url');
    expect(await verdict(forged({ alg: 'RS256', kid: 'k1' }, claims), [{ ...jwk, n }])).toBe('unknown-key');
  });

  test.each([
    ['EdDSA', { crv: 'Ed448' }],
    ['EdDSA', { crv: 'X25519' }],
    ['ES256', { crv: 'P-384' }],
    ['ES256', { x: 'AAAA' }],
  ])('%s with %j is unknown', async (alg, change) => {
    const key = await testKey(alg, change);
    expect(await verdict(await signed(key), [key.jwk])).toBe('unknown-key');
  });

  test('without a key, the key is unknown, and with the wrong key, the signature is wrong', async () => {
    expect(await verdict(await signed(rsa), [])).toBe('unknown-key');
    expect(await verdict(await signed(rsa), [(await other()).jwk])).toBe('signature');
  });

  test('without a key id, exactly one key must fit', async () => {
    const token = await signed(rsa, {}, { kid: undefined });
    const second = await other();
    const elliptic = await testKey('ES256');
    expect(await verdict(token, [rsa.jwk])).toBe('accepted');
    expect(await verdict(token, [elliptic.jwk, rsa.jwk, { ...second.jwk, use: 'enc' }])).toBe('accepted');
    expect(await verdict(token, [rsa.jwk, second.jwk])).toBe('unknown-key');
  });

  test('of two keys with the same id, each may have signed', async () => {
    const second = await other();
    expect(await verdict(await signed(second), [rsa.jwk, second.jwk])).toBe('accepted');
  });

  test.each(['jku', 'jwk', 'x5u', 'x5c'])('the key that %s names is ignored', async (name) => {
    const attacker = await other();
    const values: Record<string, unknown> = { jwk: attacker.jwk, x5c: ['AAAA'] };
    const header = { [name]: values[name] ?? 'https://attacker.example/keys' };
    expect(await verdict(await signed(attacker, {}, header))).toBe('signature');
    expect(await verdict(await signed(rsa, {}, header))).toBe('accepted');
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['aud absent', { aud: undefined }, 'audience'],
  ['aud null', { aud: null }, 'audience'],
  ['aud of another service', { aud: 'https://other.example' }, 'audience'],
  ['aud with a trailing slash', { aud: `${audience}/` }, 'audience'],
  ['aud as a list', { aud: ['https://other.example', audience] }, 'accepted'],
  ['aud as a list in a list', { aud: [[audience]] }, 'audience'],
  ['aud as an empty list', { aud: [] }, 'audience'],
  ['aud as an object', { aud: { [audience]: audience } }, 'audience'],
  ['iss absent', { iss: undefined }, 'unknown-issuer'],
  ['iss with a trailing slash', { iss: `${issuers.github.url}/` }, 'unknown-issuer'],
  ['iss in capitals', { iss: issuers.github.url.toUpperCase() }, 'unknown-issuer'],
  ['iss as a list', { iss: [issuers.github.url] }, 'unknown-issuer'],
  ['exp absent', { exp: undefined }, 'malformed'],
  ['exp as text', { exp: String(nowSeconds + 300) }, 'malformed'],
  ['exp 59 s ago', { exp: nowSeconds - 59 }, 'accepted'],
  ['exp 60 s ago', { exp: nowSeconds - 60 }, 'accepted'],
  ['exp 61 s ago', { exp: nowSeconds - 61 }, 'expired'],
  ['exp in a thousand years', { exp: nowSeconds * 20 }, 'accepted'],
  ['nbf in 59 s', { nbf: nowSeconds + 59 }, 'accepted'],
  ['nbf in 60 s', { nbf: nowSeconds + 60 }, 'accepted'],
  ['nbf in 61 s', { nbf: nowSeconds + 61 }, 'not-yet-valid'],
  ['nbf as text', { nbf: 'soon' }, 'malformed'],
  ['the wrong audience and an end long ago', { aud: 'x', exp: 1 }, 'audience'],
  ['an end before its start', { exp: nowSeconds - 61, nbf: nowSeconds + 61 }, 'expired'],
])('%s: %j is %s', async (_, change, expected) => {
  expect(await verdict(await signed(rsa, change))).toBe(expected);
});

test('the expiry of a token is an instant, however far away', async () => {
  const context = { issuers: Object.values(issuers), keysOf: async () => [rsa.jwk], now };
  const token = await verifyToken(await signed(rsa, { exp: 1e15 }), context);
  expect('exp' in token && new Date(token.exp * 1000).toISOString()).toBe('9999-12-31T23:59:59.000Z');
});

describe('checks run in their order', () => {
  test.each<[string, string]>([
    [forged({ alg: 'none', crit: ['exp'] }, claims), 'malformed'],
    [forged({ alg: 'none' }, { ...claims, exp: undefined }), 'malformed'],
    [forged({ alg: 'none' }, { ...claims, iss: 'x' }), 'algorithm'],
    [forged({ alg: 'RS256' }, { ...claims, iss: 'x', aud: 'x' }), 'unknown-issuer'],
    [forged({ alg: 'RS256' }, { ...claims, aud: 'x', exp: 1 }), 'signature'],
  ])('%#', async (token, expected) => expect(await verdict(token)).toBe(expected));
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a word', 'token'],
  ['two parts', 'e30.e30'],
  ['four parts', `${forged({ alg: 'RS256' }, claims)}.AAAA`],
  ['spaces', ` ${forged({ alg: 'RS256' }, claims)}`],
  ['padding', forged({ alg: 'RS256' }, claims, 'AAA=')],
  ['a header that is a list', forged('[]', claims)],
  ['claims that are text', forged({ alg: 'RS256' }, '"a"')],
  ['claims that are null', forged({ alg: 'RS256' }, 'null')],
  ['claims that are not JSON', forged({ alg: 'RS256' }, '{"exp":1,}')],
  ['claims followed by more', forged({ alg: 'RS256' }, '{} {}')],
  ['claims that are not UTF-8', `e30.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.AAAA`],
  ['a claim twice', forged({ alg: 'RS256' }, '{"exp":9999999999,"aud":"a","aud":"b"}')],
  ['a claim twice, once escaped', forged({ alg: 'RS256' }, '{"exp":9999999999,"aud":"a","\\u0061ud":"b"}')],
  ['a nested claim twice', forged({ alg: 'RS256' }, '{"exp":9999999999,"a":{"b":1,"b":2}}')],
  ['a header member twice', forged('{"alg":"none","alg":"RS256"}', claims)],
  ['NUL in a claim', forged({ alg: 'RS256' }, { ...claims, repository: 'a\0b' })],
  ['a lone surrogate', forged({ alg: 'RS256' }, '{"exp":9999999999,"a":"\\ud83d"}')],
  ['a thousand levels', forged({ alg: 'RS256' }, `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`)],
  ['a key id that is a number', forged({ alg: 'RS256', kid: 1 }, claims)],
  ['crit', forged({ alg: 'RS256', crit: ['b64'], b64: false }, claims)],
  ['an empty crit', forged({ alg: 'RS256', crit: [] }, claims)],
])('%s is malformed', async (_, token) => expect(await verdict(token)).toBe('malformed'));

test('a token of 12 KiB is checked, and one byte more is too large', async () => {
  const start = forged({ alg: 'RS256', kid: 'k1' }, claims, '');
  const sized = (bytes: number) => start + 'A'.repeat(bytes - start.length);
  expect(await verdict(sized(12 * 1024))).toBe('signature');
  expect(await verdict(sized(12 * 1024 + 1))).toBe('too-large');
});

test('a refusal includes the claims as sent, if they are readable', async () => {
  const context = { issuers: Object.values(issuers), keysOf: async () => [], now };
  expect(await verifyToken('x', context)).toEqual({ reason: 'malformed' });
  const found = { ...claims, repository: 'acme/payments' };
  expect(await verifyToken(forged({ alg: 'none' }, found, ''), context)).toEqual({
    reason: 'algorithm',
    claims: found,
  });
});

test('a token with one character changed is never accepted', async () => {
  const token = await signed(rsa);
  const accepted: string[] = [];
  const position = fc.nat({ max: token.length - 2 });
  const property = fc.asyncProperty(position, fc.constantFrom(...'Aa0_-.'), async (at, character) => {
    const changed = token.slice(0, at) + character + token.slice(at + 1);
    if (changed !== token && (await verdict(changed)) === 'accepted') accepted.push(changed);
  });
  await fc.assert(property, { numRuns: 200 });
  expect(accepted).toEqual([]);
});

test('claims are read as JSON.parse reads them, except for integers that it would round', () => {
  const json = fc.jsonValue({ maxDepth: 5, noUnicodeString: false });
  const isStorable = (value: unknown) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value));
  fc.assert(
    fc.property(json.filter(isStorable), (value) => {
      const text = JSON.stringify({ value });
      const rounded = JSON.parse(text, (_, item: unknown) =>
        Number.isInteger(item) && !Number.isSafeInteger(item) ? 'long' : item,
      );
      const read = JSON.parse(JSON.stringify(readToken(forged({}, text))?.claims), (_, item: unknown) =>
        (Number.isInteger(item) && !Number.isSafeInteger(item)) ||
        (typeof item === 'string' && /^-?\d{16,}$/.test(item))
          ? 'long'
          : item,
      );
      expect(read).toEqual(rounded);
    }),
  );
  expect(readToken(forged({}, '{"id":9007199254740993,"__proto__":{"a":1}}'))?.claims).toEqual(
    JSON.parse('{"id":"9007199254740993","__proto__":{"a":1}}'),
  );
});

test('a signature of another token of the same issuer is not accepted', async () => {
  const [one, other]: string[] = [await signed(rsa, { a: 1 }), await signed(rsa, { a: 2 })];
  const mixed = [...(one ?? '').split('.').slice(0, 2), (other ?? '').split('.')[2]].join('.');
  expect(await verdict(mixed)).toBe('signature');
});

test('a token of one algorithm is not accepted as one of another with the same key', async () => {
  const ps: TestKey = await testKey('PS256');
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'PS256', kid: 'k1' }).sign(ps.privateKey);
  const [, body, signature] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'k1' })).toString('base64url');
  expect(await verdict(`${header}.${body}.${signature}`, [ps.jwk])).toBe('signature');
});
