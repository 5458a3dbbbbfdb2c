/** A listing cursor: the number of rows before the page, as base64 (companion services §4). */
export function offsetCursor(offset: number): string {
  return Buffer.from(String(offset)).toString('base64');
}

/** The offset in a cursor, `undefined` for a malformed one (reading 10.2). */
export function parseOffsetCursor(cursor: string): number | undefined {
  const digits = Buffer.from(cursor, 'base64').toString('latin1');
  return /^\d{1,15}$/.test(digits) && offsetCursor(Number(digits)) === cursor ? Number(digits) : undefined;
}
