import { isUtf8 } from 'node:buffer';
import { invalid, type Problem } from '@shiplog/server';
import type { Json } from '../change.ts';

/** The headers of a request: names in lower case, each with all its values as Node returns them (bytes as Latin-1). */
export type SentHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** A webhook request whose sender has been verified. */
export interface RawDelivery {
  readonly headers: SentHeaders;
  readonly body: Buffer;
}

/** The validation problem for a body with one error. */
export function malformed(pointer: string, message: string): Problem {
  return invalid([{ pointer, message }]);
}

export function bodyJson({ body }: Pick<RawDelivery, 'body'>): Json {
  if (!isUtf8(body)) throw malformed('', 'must be JSON in UTF-8, not compressed');
  return parseJson(body.toString('utf8'));
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('', 'must be valid JSON');
  }
}

/** The value of a header that occurs once and isn't empty. */
export function singleHeader(headers: SentHeaders, name: string): string | undefined {
  const values = headers[name.toLowerCase()];
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined;
}
