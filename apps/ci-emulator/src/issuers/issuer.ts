import { randomUUID } from 'node:crypto';
import {
  type CiFaultEffect,
  type CiIssuer,
  type CiTool,
  githubHtmlUrl,
  type IssuerFault,
  tokenLimits,
} from '@shiplog/companions';
import { SignJWT } from 'jose';
import { type Call, type Judged, jsonAnswer } from '../surface/answer.ts';
import { faultAnswer, type Surface } from '../surface/surface.ts';
import type { JobClaims } from './job-claims.ts';
import { SigningKeys } from './signing-keys.ts';

/** The differences between the two tools' issuers. */
interface IssuerTraits {
  /** The path of the issuer below the base URL. */
  readonly path: string;
  readonly keysPath: string;
  readonly expiresInSeconds: number;
  /** How long before its time of issue a token becomes valid. */
  readonly validBeforeSeconds: number;
}

const traits: Readonly<Record<CiTool, IssuerTraits>> = {
  github: {
    path: '/_services/token',
    keysPath: '/_services/token/.well-known/jwks',
    expiresInSeconds: 300,
    validBeforeSeconds: 300,
  },
  gitlab: { path: '', keysPath: '/oauth/discovery/keys', expiresInSeconds: 3600, validBeforeSeconds: 5 },
};

export interface TokenOptions {
  /** GitHub's default is the owner's URL. */
  readonly audience?: string | undefined;
  /** Replace the job's claims. A null claim is omitted. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/**
 * A public issuer of identity tokens under the emulator's base URL (access.md §7). Its requests are not charged, but
 * they are in the request log, and fault rules apply to them. Uses the real clock, because verifiers do.
 */
export class Issuer implements Surface {
  readonly tool: CiTool;
  fault: IssuerFault | null = null;
  readonly #keys = new SigningKeys();
  readonly #traits: IssuerTraits;
  readonly #baseUrl: () => string;

  constructor(tool: CiTool, baseUrl: () => string) {
    this.tool = tool;
    this.#traits = traits[tool];
    this.#baseUrl = baseUrl;
  }

  get url(): string {
    return `${this.#baseUrl()}${this.#traits.path}`;
  }

  get state(): CiIssuer {
    return { tool: this.tool, issuer: this.url, keys: this.#keys.ids, fault: this.fault };
  }

  rotate(): void {
    this.#keys.rotate();
  }

  async token(job: JobClaims, { audience, claims, expiresInSeconds }: TokenOptions) {
    const { kid, privateKey } = this.#keys.current;
    const { expiresInSeconds: usual, validBeforeSeconds } = this.#traits;
    const now = Math.floor(Date.now() / 1000);
    const replaced = withoutNulls({
      jti: randomUUID(),
      iss: this.url,
      aud: audience ?? `${githubHtmlUrl}/${job.claims.repository_owner}`,
      iat: now,
      nbf: now - validBeforeSeconds,
      exp: now + (expiresInSeconds ?? usual),
      ...job.claims,
      ...claims,
    });
    // A replaced claim shows in `sub` too, unless the caller chose the subject.
    const whole = claims && 'sub' in claims ? replaced : { sub: job.subject(replaced), ...replaced };
    const token = await new SignJWT(whole).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(privateKey);
    return { token, claims: whole };
  }

  serves(path: string): boolean {
    return path === this.#traits.keysPath || path === this.#discoveryPath;
  }

  /** The effect of the issuer's own fault on each request. */
  get standingEffect(): CiFaultEffect | undefined {
    if (this.fault === 'down') return { status: 503 };
    return this.fault === 'slow' ? { delay_ms: tokenLimits.slowMs } : undefined;
  }

  tokenOf(): undefined {
    return undefined;
  }

  lastRate(): undefined {
    return undefined;
  }

  judge({ method, path }: Call, effect: CiFaultEffect): Judged {
    const broken = faultAnswer(effect);
    if (broken) return { answer: broken, charged: false };
    if (method !== 'GET')
      return { answer: jsonAnswer(405, { error: 'method_not_allowed' }, { allow: 'GET' }), charged: false };
    const document = path === this.#discoveryPath ? this.#discovery() : this.#keys.jwks(this.fault === 'wrong-keys');
    return { answer: jsonAnswer(200, document), charged: false };
  }

  get #discoveryPath(): string {
    return `${this.#traits.path}/.well-known/openid-configuration`;
  }

  #discovery() {
    return {
      issuer: this.url,
      jwks_uri: `${this.#baseUrl()}${this.#traits.keysPath}`,
      subject_types_supported: ['public'],
      response_types_supported: ['id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid'],
    };
  }
}

function withoutNulls(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}
