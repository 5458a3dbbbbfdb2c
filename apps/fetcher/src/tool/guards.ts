import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { signingKey, standardSignature } from '@shiplog/component';
import { type SentHeaders, singleHeader } from './delivery.ts';

/** Whether the body matches the signature in the headers. */
export type BodyCheck = (body: Buffer) => boolean;

/** Authenticates deliveries before anything is parsed (fetcher §11). Every failure results in the same response. */
export interface Guard {
  /** The `WWW-Authenticate` header of a refusal (RFC 9110, 11.6.1). */
  readonly challenge: string;
  /** `undefined` if the headers alone are a reason to refuse. */
  judge(headers: SentHeaders): BodyCheck | undefined;
}

export interface HmacOptions {
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  /** Precedes the signature in the header; may be empty. */
  readonly prefix: string;
  /** The valid secrets: two while one replaces the other. */
  readonly secrets: readonly string[];
}

/** The largest accepted difference between a delivery's timestamp and the fetcher's clock. */
const toleranceMs = 5 * 60_000;

const digestForms = { hex: /^[0-9a-f]{64}$/i, base64: /^[A-Za-z0-9+/]{43}=$/ } as const;

export function hmacGuard({ header, encoding, prefix, secrets }: HmacOptions): Guard {
  return {
    challenge: `HmacSha256 header="${header}"`,
    judge(headers) {
      const value = singleHeader(headers, header);
      if (!value?.startsWith(prefix)) return undefined;
      const text = value.slice(prefix.length);
      if (!digestForms[encoding].test(text)) return undefined;
      const offered = Buffer.from(text, encoding);
      return (body) =>
        isOneOf(
          offered,
          secrets.map((secret) => hmac(Buffer.from(secret), body)),
        );
    },
  };
}

/** PagerDuty: the header lists a signature for each secret that is valid at the time. */
export function pagerDutyGuard(secret: string): Guard {
  const header = 'X-PagerDuty-Signature';
  return {
    challenge: `HmacSha256 header="${header}"`,
    judge(headers) {
      const offered = (singleHeader(headers, header) ?? '').split(',').flatMap((signature) => {
        const [, digest] = /^ *v1=([0-9a-f]{64}) *$/i.exec(signature) ?? [];
        return digest === undefined ? [] : [Buffer.from(digest, 'hex')];
      });
      if (offered.length === 0) return undefined;
      return (body) => isOneOf(hmac(Buffer.from(secret), body), offered);
    },
  };
}

/** A header that contains the secret itself. */
export function tokenGuard(header: string, secret: string): Guard {
  return headGuard(`Token header="${header}"`, secret, (headers) => {
    const value = singleHeader(headers, header);
    return value === undefined ? undefined : Buffer.from(value, 'latin1');
  });
}

export function basicGuard(user: string, password: string): Guard {
  return headGuard('Basic realm="webhooks", charset="UTF-8"', `${user}:${password}`, (headers) => {
    const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(singleHeader(headers, 'authorization') ?? '') ?? [];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  });
}

/** Standard Webhooks: the signature covers id, timestamp and body. `now` is in milliseconds. */
export function standardGuard(token: string, now: () => number): Guard {
  const key = signingKey(token);
  // If the configuration was never checked, an invalid token must not accept every delivery.
  if (!key) throw new Error('the signing token is not valid');
  return {
    challenge: 'StandardWebhooks header="webhook-signature"',
    judge(headers) {
      const [id, timestamp, value] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        singleHeader(headers, name),
      );
      if (!id || !timestamp || !/^\d{1,12}$/.test(timestamp)) return undefined;
      if (Math.abs(Number(timestamp) * 1000 - now()) > toleranceMs) return undefined;
      const offered = (value ?? '').split(' ').flatMap((signature) => {
        const text = signature.startsWith('v1,') ? signature.slice('v1,'.length) : '';
        return digestForms.base64.test(text) ? [Buffer.from(text, 'base64')] : [];
      });
      if (offered.length === 0) return undefined;
      return (body) => isOneOf(standardSignature(key, { id, timestamp, body }), offered);
    },
  };
}

/** Accepts a delivery if any of the guards does. */
export function anyGuard(guards: readonly Guard[]): Guard {
  return {
    challenge: guards.map(({ challenge }) => challenge).join(', '),
    judge(headers) {
      const checks = guards.flatMap((guard) => guard.judge(headers) ?? []);
      return checks.length === 0 ? undefined : (body) => checks.some((check) => check(body));
    },
  };
}

/** A guard that doesn't need the body: `offered` extracts the secret from the headers. */
function headGuard(challenge: string, secret: string, offered: (headers: SentHeaders) => Buffer | undefined): Guard {
  return {
    challenge,
    judge(headers) {
      const bytes = offered(headers);
      return bytes && isOneOf(bytes, [Buffer.from(secret)]) ? () => true : undefined;
    },
  };
}

/**
 * Compares digests, and always all of them, so that timing reveals neither a secret's length nor which secret matched.
 */
function isOneOf(offered: Buffer, valid: readonly Buffer[]): boolean {
  const digest = hash('sha256', offered, 'buffer');
  let found = false;
  for (const one of valid) found = timingSafeEqual(digest, hash('sha256', one, 'buffer')) || found;
  return found;
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
}
