import type { DeploymentEvent } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Chunk, chunksOf } from '../src/log/chunks.ts';

const event = (number: number): DeploymentEvent => ({
  id: String(number),
  deployment_id: 'd',
  service: 's',
  environment: 'e',
  status: 'success',
  happened_at: new Date(number * 1000).toISOString(),
});
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => event(from - index));
const sizes = (chunks: readonly Chunk[]) => chunks.map(({ events }) => events.length);

test('a page of events fills complete chunks, and only the newest chunk has room', () => {
  expect(sizes(chunksOf(down(120, 1), []))).toEqual([20, 25, 25, 25, 25]);
});

test('arriving events fill the newest chunk and leave the others unchanged', () => {
  const before = chunksOf(down(120, 1), []);
  const after = chunksOf(down(121, 1), before);
  expect(sizes(after)).toEqual([21, 25, 25, 25, 25]);
  expect([after[0]?.key, after[1] === before[1], after[2] === before[2]]).toEqual([before[0]?.key, true, true]);
  expect(sizes(chunksOf(down(135, 1), before))).toEqual([10, 25, 25, 25, 25, 25]);
});

test('an older page is added below, in its own chunks', () => {
  const before = chunksOf(down(220, 101), []);
  const after = chunksOf(down(220, 1), before);
  expect(sizes(after)).toEqual([20, 25, 25, 25, 25, 25, 25, 25, 25]);
  expect(after.slice(0, 5)).toEqual(before);
  expect(after.slice(0, 5).every((chunk, index) => chunk === before[index])).toBe(true);
});

test('cutting the list leaves the chunks above unchanged, and removing an event rebuilds its chunk and all later chunks', () => {
  const before = chunksOf(down(220, 1), []);
  const after = chunksOf(down(220, 141), before);
  expect(sizes(after)).toEqual([20, 25, 25, 10]);
  expect(after.slice(0, 3).every((chunk, index) => chunk === before[index])).toBe(true);
  expect(sizes(chunksOf(down(219, 141), before))).toEqual([4, 25, 25, 25]);
});

test('wherever events arrive, each event is in exactly one chunk, in order, and stays there; chunk keys are distinct', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(down(300, 1), { minLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 120 })),
      (arriving, counts) => {
        let chunks: readonly Chunk[] = [];
        let shown: DeploymentEvent[] = [];
        for (const count of [...counts, arriving.length]) {
          const places = new Map(chunks.flatMap(({ key, events }) => events.map(({ id }) => [id, key])));
          shown = [...shown, ...arriving.splice(0, count)].sort((one, other) => Number(other.id) - Number(one.id));
          chunks = chunksOf(shown, chunks);
          expect(chunks.flatMap(({ events }) => events)).toEqual(shown);
          expect(new Set(chunks.map(({ key }) => key)).size).toBe(chunks.length);
          for (const { key, events } of chunks) for (const { id } of events) expect(places.get(id) ?? key).toBe(key);
        }
      },
    ),
  );
});
