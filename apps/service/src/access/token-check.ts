import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AccessFile,
  type Issuer,
  matchRule,
  noMay,
  type RefusedToken,
  type TokenFault,
  timeFault,
  tokenIdentity,
  tokenSubject,
  type VerifiedToken,
  verifyToken,
} from '@shiplog/access';
import { headerNames } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { ActRecord } from './act-record.ts';
import type { TokenCredential } from './credential.ts';
import type { IssuerKeys } from './issuer-keys.ts';

interface TokenCheckOptions {
  readonly file: () => AccessFile | undefined;
  readonly keysOf: (issuer: Issuer) => Pick<IssuerKeys, 'candidates'>;
  readonly acts: ActRecord;
  readonly now: () => number;
}

/** The maximum number of cached verifications, so that a job that posts often is verified only once. */
const rememberedMax = 10_000;

/** Verifies tokens (access.md 3.2, 9.12) and finds their rules. */
export class TokenCheck {
  readonly #options: TokenCheckOptions;
  /** By the digest of the token; only for one version of the file. */
  #remembered = new Map<string, VerifiedToken>();
  #file: AccessFile | undefined;

  constructor(options: TokenCheckOptions) {
    this.#options = options;
  }

  /** @throws Problem 401 for a token that isn't valid, 503 while its issuer's keys can't be fetched. */
  async check(text: string): Promise<TokenCredential> {
    const { file, acts } = this.#options;
    const current = file();
    const token = await this.#verified(text, current?.issuers ?? []);
    if ('reason' in token) {
      acts.refuse({ subject: null, reason: token.reason });
      throw refusedToken(token);
    }
    const match = matchRule(token, current?.rules ?? []);
    return {
      kind: 'token',
      ...tokenIdentity(token),
      subject: tokenSubject(token),
      may: match.rule?.may ?? noMay,
      expires: token.exp * 1000,
      token,
      match,
    };
  }

  async #verified(text: string, issuers: readonly Issuer[]): Promise<VerifiedToken | RefusedToken> {
    const { file, keysOf, now } = this.#options;
    if (this.#file !== file()) {
      this.#file = file();
      this.#remembered = new Map();
    }
    const remembered = this.#remembered;
    const digest = createHash('sha256').update(text).digest('base64url');
    const known = remembered.get(digest);
    if (known && !timeFault(known, now()) && (await this.#hasKey(known))) return known;
    remembered.delete(digest);
    const verified = await verifyToken(text, {
      issuers,
      keysOf: (issuer, kid) => keysOf(issuer).candidates(kid),
      now: now(),
    });
    if ('reason' in verified) return verified;
    remembered.set(digest, verified);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return verified;
  }

  /** A cached verification is valid only as long as its key. */
  async #hasKey({ issuer, kid, key }: VerifiedToken): Promise<boolean> {
    const candidates = await this.#options.keysOf(issuer).candidates(kid);
    return candidates.some((candidate) => candidate === key || isDeepStrictEqual(candidate, key));
  }
}

const explanations: Readonly<Record<TokenFault, string>> = {
  'too-large': 'is larger than 12 KiB',
  malformed: 'is not a JSON Web Token with exp that this service understands',
  algorithm: 'must be signed with RS256, PS256, ES256 or EdDSA',
  'unknown-issuer': 'is from an issuer (iss) that the access file does not list',
  'unknown-key': 'is signed with a key that its issuer does not have',
  signature: 'has an invalid signature',
  audience: 'is for another audience (aud)',
  expired: 'has expired; ask the CI tool for a new one for each post',
  'not-yet-valid': 'is not valid yet (nbf); check the clocks',
};

/** 401 with the reason in words and as data (access.md 3.8). */
function refusedToken({ reason, claims, audience }: RefusedToken): Problem {
  const needed =
    audience === undefined
      ? ''
      : `: ${JSON.stringify(claims?.aud ?? null)}. Ask the CI tool for one for ${JSON.stringify(audience)}`;
  return new Problem('unauthorized', {
    detail: `The token ${explanations[reason]}${needed}.`,
    headers: { [headerNames.wwwAuthenticate]: 'Bearer error="invalid_token"' },
    access: { reason, ...(claims && { claims: { ...claims } }) },
  });
}
