import { limits, nilId } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { isReference, readMemory, type TargetMemory, writeMemory } from '../src/domain/cursor.ts';
import { idAt } from './support/events.ts';

const memory: TargetMemory = {
  ...{ position: idAt(1), recent: [3, 1_777_000_000_000], stuck: [idAt(2)], news: ['news-1'] },
  threads: new Map([['a', 'C012 1503435956.000247']]),
};

test('the stored state of a target is read back unchanged', () => {
  expect(readMemory(writeMemory(memory))).toEqual(memory);
  const nothing: TargetMemory = { position: nilId, recent: [0, 0], stuck: [], threads: new Map(), news: undefined };
  expect(readMemory(writeMemory(nothing))).toEqual(nothing);
});

test('a target memory over the size limit is cut and keeps the newest entries', () => {
  const threads = new Map(Array.from({ length: 500 }, (_, at) => [`${at}`.padStart(10, 'k'), 'x'.repeat(64)]));
  const news = Array.from({ length: 500 }, (_, at) => `news-${'x'.repeat(13)}${at}`);
  const stuck = Array.from({ length: 500 }, (_, at) => idAt(at));
  const written = writeMemory({ ...memory, threads, stuck, news });
  expect(Buffer.byteLength(written)).toBeLessThan(limits.cursorBytes);
  expect(readMemory(written)?.threads.has('kkkkkkk499')).toBe(true);
  expect(readMemory(written)?.stuck.at(-1)).toBe(idAt(499));
  expect(readMemory(written)?.news?.at(-1)).toBe(news.at(-1));
});

test.each(['', 'x', '[]', 'null', '{"v":2}', '{"v":1,"p":"x","b":[0,0],"t":[],"s":[]}', '{"v":1,"p":7}'])(
  'the stored text %j counts as no state',
  (cursor) => {
    expect(readMemory(cursor)).toBeUndefined();
  },
);

test.each([
  ['7', true],
  ['', false],
  ['x'.repeat(65), false],
  [undefined, false],
])('checks whether the reference %j can be stored: %s', (text, can) => {
  expect(isReference(text)).toBe(can);
});
