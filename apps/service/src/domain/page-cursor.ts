import { createHash } from 'node:crypto';
import { parseId, parseInstant } from '@shiplog/contract';

/** A position in a listing: the key of the last row of a page (reading 3.8). The row itself may no longer exist. */
export interface PageKey {
  /** RFC 3339 in UTC with six fraction digits. */
  readonly happenedAt: string;
  readonly id: string;
}

export function pageCursor(key: PageKey): string {
  return Buffer.from(`${key.happenedAt}/${key.id}`).toString('base64url');
}

/** For a listing that is ordered by id alone. */
export function idCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

export function parseIdCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  return parseId(id) === id && idCursor(id) === cursor ? id : undefined;
}

export function parsePageCursor(cursor: string): PageKey | undefined {
  const [happenedAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('/');
  const isInstant =
    parseInstant(happenedAt) === happenedAt && happenedAt.length === '0001-01-01T00:00:00.000000Z'.length;
  const key = { happenedAt, id };
  return isInstant && parseId(id) === id && pageCursor(key) === cursor ? key : undefined;
}

/** Identifies an item in a cursor, because names may be longer than a cursor. */
export function shortDigest(names: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 16);
}
