import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Issuer } from '../src/issuer.ts';

/** The time in ms at which these tests verify tokens. */
export const now = Date.UTC(2026, 10, 27, 12);
export const nowSeconds = now / 1000;
export const audience = 'https://shiplog.example';

const common = { audience, jwksFile: undefined, caFile: undefined };

export const issuers = {
  github: {
    ...{ ...common, name: 'github', kind: 'github' },
    ...{ url: 'https://token.actions.githubusercontent.com', serverUrl: 'https://github.com' },
  },
  corp: {
    ...{ ...common, name: 'corp', kind: 'gitlab' },
    ...{ url: 'https://git.corp.example', serverUrl: 'https://git.corp.example' },
  },
  cluster: { ...common, name: 'cluster', kind: 'generic', url: 'https://k8s.corp.example', serverUrl: undefined },
} as const satisfies Record<string, Issuer>;

export interface TestKey {
  readonly alg: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

export async function testKey(alg: string, members: JWK | ((jwk: JWK) => JWK) = {}): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { kid: 'k1', ...(await exportJWK(publicKey)) };
  return { alg, privateKey, jwk: typeof members === 'function' ? members(jwk) : { ...jwk, ...members } };
}

type Members = Readonly<Record<string, unknown>>;

/** A signed token; a claim or header of `undefined` is left out. */
export function signed({ alg, jwk, privateKey }: TestKey, claims: Members = {}, header: Members = {}): Promise<string> {
  const payload = { iss: issuers.github.url, aud: audience, exp: nowSeconds + 300, ...claims };
  return new SignJWT(payload)
    .setProtectedHeader({ alg, ...(jwk.kid !== undefined && { kid: jwk.kid }), ...header })
    .sign(privateKey);
}

/** A token with this header and these claims, without a valid signature. */
export function forged(header: string | Members, claims: string | Members, signature = 'AAAA'): string {
  const part = (value: string | Members) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}
