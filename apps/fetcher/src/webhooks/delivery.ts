import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { DeliveryAnswer } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { invalid, type Problem } from '@shiplog/server';
import type { Json } from '../change.ts';
import type { SentHeaders } from './signatures.ts';

/** A request to a webhook whose sender is known. */
export interface RawDelivery {
  readonly headers: SentHeaders;
  readonly body: Buffer;
}

/** A part of a delivery that is taken once: all of it, or one of the events of a batch. */
export interface Parcel {
  /** What it is known by when it comes again, within its webhook; without it, it is always new. */
  readonly id: string | undefined;
  /** The same by what it says: most signatures cover the body and not the id, which whoever replays it may change. */
  readonly digest?: string;
  /** What is told of it where it has to wait: how much will probably be accepted. */
  readonly expected: DeliveryAnswer;
  /**
   * Resolves when everything in it is in the log.
   * @throws what the tool and the poster throw, and the reason of the signal.
   */
  settle(signal: AbortSignal): Promise<DeliveryAnswer>;
  /** Leaves to polling what could not be settled; `undefined` where nobody polls. */
  leave?(): DeliveryAnswer | undefined;
}

export const nothing: DeliveryAnswer = { accepted: 0, ignored: 1 };

/** One fault of a body. */
export function malformed(pointer: string, message: string): Problem {
  return invalid([{ pointer, message }]);
}

/** @throws Problem where the body is no JSON in UTF-8 */
export function jsonOf(bytes: Buffer): Json {
  if (!isUtf8(bytes)) throw malformed('', 'must be JSON in UTF-8, not compressed');
  return parsed(bytes.toString('utf8'));
}

/** @throws Problem where the text is no JSON */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('', 'must be valid JSON');
  }
}

/** The value of a header that is there once. */
export function headerOf(headers: SentHeaders, name: string): string | undefined {
  const values = headers[name];
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/** Names a body, or a part of it by its place. */
export function digestOf(body: Buffer, place = 0): string {
  return `${hash('sha256', body, 'base64')} ${place}`;
}

/** The id under which a tool sends a delivery again (fetcher §11.6). */
export function deliveryId(headers: SentHeaders): string | undefined {
  const names = ['x-github-delivery', 'idempotency-key', 'webhook-id'];
  return names.map((name) => headerOf(headers, name)).find((id) => id !== undefined);
}

/** A text that is there and not empty; else notes a fault. */
export function required(value: Json | undefined, pointer: string, faults: FieldError[]): string {
  if (typeof value === 'string' && value !== '') return value;
  faults.push({ pointer, message: value === undefined ? 'is required' : 'must be text that is not empty' });
  return '';
}
