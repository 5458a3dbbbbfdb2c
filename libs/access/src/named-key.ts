import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const idLength = 8;
const idDigits = 'abcdefghijklmnopqrstuvwxyz0123456789';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;
const secretBytes = 32;
const keyPattern = /^shl_([a-z0-9]{8})_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/;

/** A key's name in the file and in messages: 8 characters of `[a-z0-9]`. */
export const keyIdPattern = /^[a-z0-9]{8}$/;

/** The id of a named key; `undefined` if the text has another format or a wrong checksum (access.md 2.1, 9.3). */
export function parseKey(text: string): { readonly id: string } | undefined {
  const [, id] = keyPattern.exec(text) ?? [];
  return id !== undefined && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
    ? { id }
    : undefined;
}

/** Creates a key. `bytes` is its secret. */
export function newKey(id = newId(), bytes: Uint8Array = randomBytes(secretBytes)): string {
  const body = `shl_${id}_${Buffer.from(bytes).toString('base64url')}`;
  return body + checksumOf(body);
}

function newId(): string {
  return Array.from({ length: idLength }, () => idDigits[randomInt(idDigits.length)]).join('');
}

/** The SHA-256 of the whole key, in hex, as in the access file. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key, 'latin1').digest('hex');
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < checksumLength; n += 1) {
    digits = base62[rest % base62.length] + digits;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}
