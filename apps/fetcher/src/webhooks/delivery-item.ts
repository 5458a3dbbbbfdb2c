import { hash } from 'node:crypto';
import type { DeliveryAnswer } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import type { Json } from '../change.ts';
import { type SentHeaders, singleHeader } from '../tool/delivery.ts';

/** A part of a delivery that is processed once: the whole delivery, or one event in a batch. */
export interface DeliveryItem {
  /** Identifies a repeated delivery within its webhook; without an id every delivery counts as new. */
  readonly id: string | undefined;
  /** Identifies the item by its body: most signatures don't cover the id, so a replay could change it. */
  readonly digest?: string;
  /** The response to a sender that can't wait, with the number of events that will probably be accepted. */
  readonly expected: DeliveryAnswer;
  /**
   * Resolves once all changes in the item are in the log. @throws what the tool and the poster throw, and the reason of
   * the signal.
   */
  settle(signal: AbortSignal): Promise<DeliveryAnswer>;
  /** Leaves the remaining work to polling; `undefined` if the source isn't polled. */
  leaveToPolling?(): DeliveryAnswer | undefined;
}

export const nothing: DeliveryAnswer = { accepted: 0, ignored: 1 };

/** Identifies a body, or its item at an index. */
export function digestOf(body: Buffer, index = 0): string {
  return `${hash('sha256', body, 'base64')} ${index}`;
}

/** The id that a tool repeats in a redelivery (fetcher §11.6); header names are in lower case. */
export function deliveryId(headers: SentHeaders, idHeaders: readonly string[]): string | undefined {
  return idHeaders.map((name) => singleHeader(headers, name)).find((id) => id !== undefined);
}

/** The text of a required field; adds an error and returns an empty string if it is missing or empty. */
export function requiredText(value: Json | undefined, pointer: string, errors: FieldError[]): string {
  if (typeof value === 'string' && value !== '') return value;
  errors.push({ pointer, message: value === undefined ? 'is required' : 'must be non-empty text' });
  return '';
}

/** Looks up a JSON Pointer (RFC 6901). Only own properties count, so `/__proto__` is a name like any other. */
export function pointerValue(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return undefined;
    if (Array.isArray(found) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    found = Object.hasOwn(found, name) ? (found as Readonly<Record<string, Json>>)[name] : undefined;
  }
  return found;
}
