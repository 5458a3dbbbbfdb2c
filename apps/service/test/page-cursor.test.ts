import { expect, test } from 'vitest';
import { pageCursor, parsePageCursor } from '../src/domain/page-cursor.ts';

const key = { happenedAt: '2026-05-04T09:12:02.000120Z', id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55' };

test('a cursor is parsed to its key and needs no escaping in a URL', () => {
  const cursor = pageCursor(key);
  expect(parsePageCursor(cursor)).toEqual(key);
  expect(encodeURIComponent(cursor)).toBe(cursor);
});

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each([
  'x',
  'null',
  encoded('7'),
  encoded(`${key.happenedAt}/`),
  encoded(`/${key.id}`),
  encoded(`2026-05-04T09:12:02Z/${key.id}`),
  encoded(`2026-02-30T09:12:02.000120Z/${key.id}`),
  encoded(`${key.happenedAt}/${key.id.toUpperCase()}`),
  encoded(`${key.happenedAt}/${key.id}/1`),
  `${pageCursor(key)}=`,
  `${pageCursor(key)}A`,
  ` ${pageCursor(key)}`,
])('%j is not a page cursor', (cursor) => {
  expect(parsePageCursor(cursor)).toBeUndefined();
});
