/** Position in a listing: how many rows come before it, as base64 (companion services §4). */
export function offsetCursor(offset: number): string {
  return Buffer.from(String(offset)).toString('base64');
}

/** The offset that a cursor holds, `undefined` for text that is none (reading 10.2). */
export function parseOffsetCursor(cursor: string): number | undefined {
  const digits = Buffer.from(cursor, 'base64').toString('latin1');
  return /^\d{1,15}$/.test(digits) && offsetCursor(Number(digits)) === cursor ? Number(digits) : undefined;
}
