import { limits } from '@shiplog/contract';
import { expect, test } from 'vitest';
import type { Json } from '../src/change.ts';
import { cursorText, memoryBytesMax, parseCursor } from '../src/sources/cursor-keeper.ts';

const owner = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';
const usage = { resetEpoch: 1_777_886_400, charged: 12 };

test('a cursor is the JSON that the specification defines', () => {
  expect(JSON.parse(cursorText({ owner, usage, memory: { w: 'x', r: { a: [1, 2] } } }))).toEqual({
    v: 1,
    o: owner,
    u: [1_777_886_400, 12],
    m: { w: 'x', r: { a: [1, 2] } },
  });
});

test.each<Json>([null, 0, '', 'text', [], {}, { w: 1, r: { 'ä😀': [1] } }])(
  'reads the cursor %j as it was stored',
  (memory) => {
    const cursor = { owner, usage, memory };
    expect(parseCursor(cursorText(cursor))).toEqual(cursor);
  },
);

function stored(members: object): string {
  return JSON.stringify({ v: 1, o: owner, u: [1, 2], m: null, ...members });
}

test.each([
  ['an empty text', ''],
  ['broken JSON', stored({}).slice(0, -1)],
  ['no object', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['another version', stored({ v: 2 })],
  ['a version as text', stored({ v: '1' })],
  ['no version', stored({ v: undefined })],
  ['no owner', stored({ o: undefined })],
  ['an owner that is not a UUID', stored({ o: 'x' })],
  ['an owner followed by more text', stored({ o: `${owner}0` })],
  ['an owner in a list', stored({ o: [owner] })],
  ['no usage', stored({ u: undefined })],
  ['usage with one number', stored({ u: [1] })],
  ['usage with three numbers', stored({ u: [1, 2, 3] })],
  ['a negative usage', stored({ u: [1, -1] })],
  ['a usage that is not an integer', stored({ u: [1.5, 1] })],
  ['a usage as text', stored({ u: ['1', '2'] })],
  ['no memory', stored({ m: undefined })],
  ['more than a cursor can contain', stored({ m: 'x'.repeat(limits.cursorBytes) })],
])('a cursor with %s counts as absent', (_, text) => {
  expect(parseCursor(stored({}))).toBeDefined();
  expect(parseCursor(text)).toBeUndefined();
});

test('a memory of the maximum size leaves room for the other members', () => {
  const memory = 'é'.repeat((memoryBytesMax - 2) / 2);
  const most = { resetEpoch: Number.MAX_SAFE_INTEGER, charged: Number.MAX_SAFE_INTEGER };
  const text = cursorText({ owner, usage: most, memory });
  expect(Buffer.byteLength(JSON.stringify(memory))).toBe(memoryBytesMax);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.cursorBytes);
  expect(parseCursor(text)?.memory).toBe(memory);
});
