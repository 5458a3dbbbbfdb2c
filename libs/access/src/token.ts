import { type CryptoKey, compactVerify, importJWK, type JWK } from 'jose';
import type { Claims } from './claims.ts';
import type { Issuer } from './issuer.ts';
import { readToken } from './token-text.ts';

/** A token whose signature, audience and times are valid. */
export interface VerifiedToken {
  readonly issuer: Issuer;
  readonly claims: Claims;
  /** The key that signed it, and its id in the token. */
  readonly key: JWK;
  readonly kid: string | undefined;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly nbf: number | undefined;
}

/** Why a token is refused, in the order of the checks (access.md 9.12). */
export type TokenFault =
  | 'too-large'
  | 'malformed'
  | 'algorithm'
  | 'unknown-issuer'
  | 'unknown-key'
  | 'signature'
  | 'audience'
  | 'expired'
  | 'not-yet-valid';

export interface RefusedToken {
  readonly reason: TokenFault;
  /** The claims as sent; absent if they can't be read. */
  readonly claims?: Claims;
  /** The audience that the token needs, if it has another one. */
  readonly audience?: string;
}

interface TokenContext {
  readonly issuers: readonly Issuer[];
  /** The issuer's keys with this id, or all its keys without one. May throw if they are currently unavailable. */
  readonly keysOf: (issuer: Issuer, kid: string | undefined) => Promise<readonly JWK[]>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const tokenBytesMax = 12 * 1024;
const toleranceMs = 60_000;
/** The last second that RFC 3339 can express. There is no maximum lifetime. */
const expMax = Date.UTC(10_000, 0) / 1000 - 1;
const rsaBitsMin = 2048;

/** The key type of each accepted algorithm. */
const algorithms = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
} as const satisfies Record<string, { kty: string; crv?: string }>;
type Algorithm = keyof typeof algorithms;

/** Verifies an identity token (access.md 3.2). */
export async function verifyToken(text: string, context: TokenContext): Promise<VerifiedToken | RefusedToken> {
  const opened = openToken(text, context.issuers);
  if ('reason' in opened) return opened;
  const { token, alg } = opened;
  const { issuer, claims, kid } = token;
  const fitting = await imported(await context.keysOf(issuer, kid), alg);
  if (fitting.length === 0 || (kid === undefined && fitting.length > 1)) return { reason: 'unknown-key', claims };
  const key = await signer(text, fitting, alg);
  if (!key) return { reason: 'signature', claims };
  return claimFault(token, context.now) ?? { ...token, key };
}

/** A token whose signature is not checked. Nothing may be granted to it. */
export type UnverifiedToken = Omit<VerifiedToken, 'key'>;

/**
 * Checks everything about a token except its signature, for callers without its issuer's keys. `token` is present if
 * the issuer is known, even if the token is refused.
 */
export function inspectToken(
  text: string,
  { issuers, now }: Pick<TokenContext, 'issuers' | 'now'>,
): { readonly token?: UnverifiedToken; readonly refused?: RefusedToken } {
  const opened = openToken(text, issuers);
  if ('reason' in opened) return { refused: opened };
  const { token } = opened;
  const refused = claimFault(token, now);
  return { token, ...(refused && { refused }) };
}

function openToken(
  text: string,
  issuers: readonly Issuer[],
): { readonly token: UnverifiedToken; readonly alg: Algorithm } | RefusedToken {
  if (Buffer.byteLength(text) > tokenBytesMax) return { reason: 'too-large' };
  const read = readToken(text);
  if (!read) return { reason: 'malformed' };
  const { header, claims } = read;
  const { exp, nbf } = claims;
  const { alg, kid, crit } = header;
  if (crit !== undefined || !isTextOrAbsent(kid) || !isTime(exp) || !(nbf === undefined || isTime(nbf))) {
    return { reason: 'malformed', claims };
  }
  if (!isAlgorithm(alg)) return { reason: 'algorithm', claims };
  const issuer = issuers.find(({ url }) => url === claims.iss);
  if (!issuer) return { reason: 'unknown-issuer', claims };
  return { token: { issuer, claims, kid, exp: Math.min(exp, expMax), nbf }, alg };
}

function claimFault(token: UnverifiedToken, now: number): RefusedToken | undefined {
  const { issuer, claims } = token;
  const { audience } = issuer;
  if (![claims.aud].flat().includes(audience)) return { reason: 'audience', claims, audience };
  const reason = timeFault(token, now);
  return reason && { reason, claims };
}

/** What is wrong with the times of a token; a clock skew of 60 s is tolerated. */
export function timeFault({ exp, nbf }: Pick<VerifiedToken, 'exp' | 'nbf'>, now: number): TokenFault | undefined {
  if (now - exp * 1000 > toleranceMs) return 'expired';
  return nbf !== undefined && nbf * 1000 - now > toleranceMs ? 'not-yet-valid' : undefined;
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(algorithms, name);
}

/** Whether a key may verify tokens of this algorithm. */
function fits(key: JWK, alg: Algorithm): boolean {
  const { kty, crv } = { crv: undefined, ...algorithms[alg] };
  if (key.kty !== kty || (crv !== undefined && key.crv !== crv)) return false;
  if (key.use !== undefined && key.use !== 'sig') return false;
  const isSame = key.alg === undefined || key.alg === alg || (alg === 'EdDSA' && key.alg === 'Ed25519');
  return isSame && (kty !== 'RSA' || rsaBits(key) >= rsaBitsMin);
}

function rsaBits({ n = '' }: JWK): number {
  const bytes = Buffer.from(n, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24;
}

interface ImportedKey {
  readonly jwk: JWK;
  readonly key: CryptoKey;
}

/** The keys that may verify tokens of this algorithm. */
async function imported(keys: readonly JWK[], alg: Algorithm): Promise<ImportedKey[]> {
  const found = keys.filter((key) => fits(key, alg)).map((jwk) => importedOnce(jwk, alg));
  return (await Promise.all(found)).filter((key) => key !== undefined);
}

/** Each key is imported once per algorithm, because an import takes longer than verifying a signature. */
const importedBefore = new WeakMap<JWK, Map<Algorithm, Promise<ImportedKey | undefined>>>();

function importedOnce(jwk: JWK, alg: Algorithm): Promise<ImportedKey | undefined> {
  const known = importedBefore.get(jwk) ?? new Map<Algorithm, Promise<ImportedKey | undefined>>();
  const found = known.get(alg) ?? importPublic(jwk, alg);
  importedBefore.set(jwk, known.set(alg, found));
  return found;
}

/** Uses only the members of a key that verification needs. `undefined` if its numbers are not a valid key. */
async function importPublic(jwk: JWK, alg: Algorithm): Promise<ImportedKey | undefined> {
  const { kty, n, e, crv, x, y } = jwk as JWK & Readonly<Record<'n' | 'e' | 'crv' | 'x' | 'y', string>>;
  const parts = { RSA: { n, e }, EC: { crv, x, y }, OKP: { crv, x } }[algorithms[alg].kty];
  try {
    return { jwk, key: (await importJWK({ kty, ...parts } as JWK, alg)) as CryptoKey };
  } catch {
    return undefined;
  }
}

/** The key that signed the token. */
async function signer(text: string, keys: readonly ImportedKey[], alg: Algorithm): Promise<JWK | undefined> {
  for (const { jwk, key } of keys) {
    const isSigned = await compactVerify(text, key, { algorithms: [alg] }).then(
      () => true,
      () => false,
    );
    if (isSigned) return jwk;
  }
  return undefined;
}
