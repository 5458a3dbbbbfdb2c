import { limits } from '@shiplog/contract';
import { invalid, Problem } from './problem.ts';

/** @throws Problem 413 for a fetcher's cursor that is too large to store (reading 8.1). */
export function requireFittingCursor(cursor: string): void {
  if (Buffer.byteLength(cursor) <= limits.cursorBytes) return;
  throw new Problem('payload-too-large', { detail: `The cursor is larger than ${limits.cursorBytes} bytes.` });
}

/** 422 for a `cursor` that isn't from a page (reading 3.8). */
export function malformedCursor(): Problem {
  return invalid([{ pointer: '/cursor', message: 'must be the next_cursor of an earlier page' }]);
}
