import { createHmac } from 'node:crypto';

const signingPrefix = 'whsec_';
const signingKeyBytesMin = 16;

/**
 * The key in a Standard Webhooks signing token: base64 after `whsec_`, otherwise the token's bytes (fetcher §15.9).
 * `undefined` if the base64 is invalid or the key is so short that it could be guessed.
 */
export function signingKey(token: string): Buffer | undefined {
  const encoded = token.startsWith(signingPrefix) ? token.slice(signingPrefix.length) : undefined;
  if (encoded !== undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = encoded === undefined ? Buffer.from(token) : Buffer.from(encoded, 'base64');
  return key.length < signingKeyBytesMin ? undefined : key;
}

/** The signed parts of a delivery (Standard Webhooks). */
export interface Signed {
  readonly id: string;
  /** Seconds since the Unix epoch, as in the header. */
  readonly timestamp: string;
  readonly body: Buffer;
}

/** HMAC-SHA256 over id, timestamp and body, joined by dots. */
export function standardSignature(key: Buffer, { id, timestamp, body }: Signed): Buffer {
  return createHmac('sha256', key)
    .update(Buffer.from(`${id}.${timestamp}.`, 'latin1'))
    .update(body)
    .digest();
}
