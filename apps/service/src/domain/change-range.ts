import { type FieldError, parseId, parseInstant, parseMoment } from '@shiplog/contract';
import { dayMs, instant } from './analytics-window.ts';
import { instantOfMicros, lengthFault, microsOf } from './micros.ts';
import { type PageKey, pageCursor, parsePageCursor, shortDigest } from './page-cursor.ts';

/** A range of changes, `to` exclusive; RFC 3339 in UTC. */
export interface ChangeRange {
  readonly from: string;
  readonly to: string;
}

const minuteMs = 60_000;

/** The range that a request names, `undefined` if it names none, or what is wrong with it (changes.md 5.1). */
export function requestedRange({
  from,
  to,
}: Partial<ChangeRange>): { readonly range: ChangeRange | undefined } | { readonly fault: FieldError } {
  if (from === undefined && to === undefined) return { range: undefined };
  if (from === undefined) return { fault: { pointer: '/from', message: 'is required if `to` is set' } };
  if (to === undefined) return { fault: { pointer: '/to', message: 'is required if `from` is set' } };
  const range = { from: parseMoment(from) ?? from, to: parseMoment(to) ?? to };
  const message = lengthFault(range.from, range.to);
  return message === undefined ? { range } : { fault: { pointer: '/from', message } };
}

/** The 24 hours to the first full minute after a moment (changes.md 5.2). */
export function lastDay(nowMs: number): ChangeRange {
  const to = (Math.floor(nowMs / minuteMs) + 1) * minuteMs;
  return { from: instant(to - dayMs), to: instant(to) };
}

/** The boundaries of equal parts, one more than there are parts, rounded down to the microsecond (changes.md 5.11). */
export function boundariesOf(range: ChangeRange, parts: number): string[] {
  const [from, to] = [microsOf(range.from), microsOf(range.to)];
  return Array.from({ length: parts + 1 }, (_, part) =>
    instantOfMicros(from + (BigInt(part) * (to - from)) / BigInt(parts)),
  );
}

/** Where a page of places ended: after this place or, if it no longer exists, after this many. */
interface NetKey {
  readonly count: number;
  readonly digest: string;
}

/** Where a page ended, and the range of the listing. */
export interface ChangesCursor {
  readonly range: ChangeRange;
  readonly after: { readonly change: PageKey } | { readonly place: NetKey };
}

export function changesCursor({ range, after }: ChangesCursor): string {
  const key = 'change' in after ? pageCursor(after.change) : `${after.place.count}.${after.place.digest}`;
  return Buffer.from(`${range.from}/${range.to}/${key}`).toString('base64url');
}

/** `undefined` if the cursor is invalid. */
export function parseChangesCursor(cursor: string): ChangesCursor | undefined {
  const [from = '', to = '', key = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('/');
  const range = { from, to };
  const isRange = [from, to].every((text) => parseInstant(text) === text) && lengthFault(from, to) === undefined;
  const after = isRange ? parseKey(key) : undefined;
  const parsed = after && { range, after };
  return parsed && changesCursor(parsed) === cursor ? parsed : undefined;
}

function parseKey(key: string): ChangesCursor['after'] | undefined {
  const [, count, digest] = /^(\d{1,9})\.([\w-]{16})$/.exec(key) ?? [];
  if (count !== undefined && digest !== undefined) return { place: { count: Number(count), digest } };
  const change = parsePageCursor(key);
  return change && parseId(change.id) ? { change } : undefined;
}

interface Place {
  readonly service: string;
  readonly environment: string;
}

/** The page of places after a key, and the key of its end if there are more. */
export function placesAfter<Found extends Place>(places: readonly Found[], key: NetKey | undefined, size: number) {
  const at = key ? places.findIndex((place) => digestOf(place) === key.digest) : -1;
  const from = at >= 0 ? at + 1 : (key?.count ?? 0);
  const items = places.slice(from, from + size);
  const last = from + size < places.length ? items.at(-1) : undefined;
  return { items, next: last && { count: from + size, digest: digestOf(last) } };
}

function digestOf({ service, environment }: Place): string {
  return shortDigest([service, environment]);
}
