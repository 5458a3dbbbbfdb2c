import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { standardSignature } from '@shiplog/component';

/** The headers of a request, names in lower case, each with all its values as Node gives them (bytes as Latin-1). */
export type SentHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** Whether the body of a delivery is the one that its head vouches for. */
export type BodyCheck = (body: Buffer) => boolean;

/**
 * What lets deliveries in (fetcher §11). Whether something is missing, malformed, there twice or wrong makes no
 * difference to the sender; nothing is parsed before.
 */
export interface Guard {
  /** What is told with a refusal: the way in (RFC 9110, 11.6.1). */
  readonly challenge: string;
  /** `undefined` where the head alone is reason to refuse. */
  judge(headers: SentHeaders): BodyCheck | undefined;
}

export interface HmacOptions {
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  /** Stands before the signature in the header; may be empty. */
  readonly prefix: string;
  /** Those that are valid: one, or two while a secret is being replaced. */
  readonly secrets: readonly string[];
}

/** How far the clocks of sender and receiver may be apart, and how late a delivery may come. */
const toleranceMs = 5 * 60_000;

const digestForms = { hex: /^[0-9a-f]{64}$/i, base64: /^[A-Za-z0-9+/]{43}=$/ } as const;

/** HMAC-SHA256 of the body in a header. */
export function hmacGuard({ header, encoding, prefix, secrets }: HmacOptions): Guard {
  return {
    challenge: `HmacSha256 header="${header}"`,
    judge(headers) {
      const value = only(headers, header);
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

/** The secrets of GitHub, whose older signature in SHA-1 is not looked at. */
export function githubGuard(secrets: readonly string[]): Guard {
  return hmacGuard({ header: 'X-Hub-Signature-256', encoding: 'hex', prefix: 'sha256=', secrets });
}

/** A secret that a header holds as it is. */
export function tokenGuard(header: string, secret: string): Guard {
  return headGuard(`Token header="${header}"`, secret, (headers) => {
    const value = only(headers, header);
    return value === undefined ? undefined : Buffer.from(value, 'latin1');
  });
}

/** `Authorization: Basic` with the base64 of user and password. */
export function basicGuard(user: string, password: string): Guard {
  return headGuard('Basic realm="webhooks", charset="UTF-8"', `${user}:${password}`, (headers) => {
    const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(only(headers, 'authorization') ?? '') ?? [];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  });
}

/**
 * The scheme of Standard Webhooks, which GitLab's signing tokens follow: the signed text is id, instant and body, and a
 * header may hold several signatures. `now` is in milliseconds.
 */
export function standardGuard(key: Buffer, now: () => number): Guard {
  return {
    challenge: 'StandardWebhooks header="webhook-signature"',
    judge(headers) {
      const [id, timestamp, value] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        only(headers, name),
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

/** Lets in what any of the guards lets in. */
export function anyGuard(guards: readonly Guard[]): Guard {
  return {
    challenge: guards.map(({ challenge }) => challenge).join(', '),
    judge(headers) {
      const checks = guards.flatMap((guard) => guard.judge(headers) ?? []);
      return checks.length === 0 ? undefined : (body) => checks.some((check) => check(body));
    },
  };
}

/** A guard that needs no body: `offered` takes from the headers what has to be the secret. */
function headGuard(challenge: string, secret: string, offered: (headers: SentHeaders) => Buffer | undefined): Guard {
  return {
    challenge,
    judge(headers) {
      const bytes = offered(headers);
      return bytes && isOneOf(bytes, [Buffer.from(secret)]) ? () => true : undefined;
    },
  };
}

/** The value of a header that is there once. */
function only(headers: SentHeaders, name: string): string | undefined {
  const values = headers[name.toLowerCase()];
  return values?.length === 1 ? values[0] : undefined;
}

/** Digests of both sides are compared, all of them: the time tells nothing of length or place. */
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
