import { createHmac } from 'node:crypto';

const signingPrefix = 'whsec_';
const signingKeyBytesMin = 16;

/**
 * The key of a signing token of Standard Webhooks: what follows `whsec_` as base64, else its bytes as they are (fetcher
 * §15.9). `undefined` for one that nobody could have meant: no base64, or so short that it can be guessed.
 */
export function signingKey(token: string): Buffer | undefined {
  const encoded = token.startsWith(signingPrefix) ? token.slice(signingPrefix.length) : undefined;
  if (encoded !== undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = encoded === undefined ? Buffer.from(token) : Buffer.from(encoded, 'base64');
  return key.length < signingKeyBytesMin ? undefined : key;
}

/** What Standard Webhooks signs of a delivery. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970, as the header has them. */
  readonly timestamp: string;
  readonly body: Buffer;
}

/** HMAC-SHA256 over id, instant and body, with dots between them. */
export function standardSignature(key: Buffer, { id, timestamp, body }: Signed): Buffer {
  return createHmac('sha256', key)
    .update(Buffer.from(`${id}.${timestamp}.`, 'latin1'))
    .update(body)
    .digest();
}
