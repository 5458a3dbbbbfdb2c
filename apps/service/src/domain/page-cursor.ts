import { createHash } from 'node:crypto';
import { instantKey, parseId, parseInstant } from '@shiplog/contract';

/** A position in a listing: the key of the last row of a page (reading 3.8). The row itself may no longer exist. */
export interface PageKey {
  /** RFC 3339 in UTC with six fraction digits. */
  readonly happenedAt: string;
  readonly id: string;
}

/** The key of a row. @param utc its instant, as `parseInstant` returns it. */
export function pageKey(utc: string, id: string): PageKey {
  return { happenedAt: `${instantKey(utc)}Z`, id };
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

/** A position in the list of pins. */
export interface PinKey {
  readonly issuer: string;
  readonly folded: string;
  readonly kind: string;
}

export function pinCursor({ issuer, folded, kind }: PinKey): string {
  return Buffer.from(JSON.stringify([issuer, folded, kind])).toString('base64url');
}

export function parsePinCursor(cursor: string): PinKey | undefined {
  try {
    const [issuer, folded, kind] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[];
    const key = { issuer: String(issuer), folded: String(folded), kind: String(kind) };
    return pinCursor(key) === cursor ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A position in the list of outages. */
export interface OutageKey {
  /** RFC 3339 in UTC. */
  readonly openedAt: string;
  readonly source: string;
  readonly outageId: string;
}

export function outageCursor({ openedAt, source, outageId }: OutageKey): string {
  return Buffer.from(JSON.stringify([openedAt, source, outageId])).toString('base64url');
}

export function parseOutageCursor(cursor: string): OutageKey | undefined {
  try {
    const [openedAt, source, outageId] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[];
    const key = { openedAt: String(openedAt), source: String(source), outageId: String(outageId) };
    const isKey = parseInstant(key.openedAt) !== undefined && !`${key.source}${key.outageId}`.includes('\0');
    return isKey && outageCursor(key) === cursor ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies an item in a cursor, because names may be longer than a cursor. */
export function shortDigest(names: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 16);
}
