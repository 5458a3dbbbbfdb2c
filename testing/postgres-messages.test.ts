import { expect, test } from 'vitest';
import { NoticeFilter, StatementNames } from './postgres-messages.ts';

/** The bytes of a message. */
function message(letter: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

/** All ways to split bytes into pieces of equal length. */
function inPieces(bytes: Buffer): Buffer[][] {
  return Array.from({ length: bytes.length }, (_, n) => {
    const length = n + 1;
    const count = Math.ceil(bytes.length / length);
    return Array.from({ length: count }, (_, piece) => bytes.subarray(piece * length, (piece + 1) * length));
  });
}

const row = message('D', 'a row that is A');
const ready = message('Z', 'I');
const done = message('1', '');
const notice = message('A', 'news');

test.each([
  [true, [row, done, ready]],
  [false, [notice, row, notice, notice, done, ready]],
])('the filter drops only notifications, and only while notifications are lost: %s', (lost, due) => {
  for (const pieces of inPieces(Buffer.concat([notice, row, notice, notice, done, ready]))) {
    const filter = new NoticeFilter();
    expect(Buffer.concat(pieces.map((piece) => filter.pass(piece, lost)))).toEqual(Buffer.concat(due));
  }
});

test('the filter passes a message above 64 KiB piece by piece', () => {
  const long = message('D', 'x'.repeat(200_000));
  const filter = new NoticeFilter();
  const halves = [long.subarray(0, 100_000), Buffer.concat([long.subarray(100_000), notice, ready])];
  expect(filter.pass(halves[0] ?? long, true)).toHaveLength(100_000);
  expect(filter.pass(halves[1] ?? long, true).equals(Buffer.concat([long.subarray(100_000), ready]))).toBe(true);
});

test('the names of prepared statements are recorded; unnamed statements are ignored', () => {
  const said = ['ping\0select 1', '\0select 2', 'pong\0', 'ping\0select 1'].map((text) => message('P', `${text}\0`));
  for (const pieces of inPieces(Buffer.concat([...said, message('S', '')]))) {
    const names = new Set<string>();
    const statements = new StatementNames(names);
    statements.look(Buffer.from('the message that begins a session'));
    for (const piece of pieces) statements.look(piece);
    expect([...names]).toEqual(['ping', 'pong']);
  }
});
