import { describe, expect, test } from 'vitest';
import { backfillFrom, fitMemory, type Memory, readMemory, writeMemory } from '../src/adapters/gitlab/memory.ts';

const nowMs = Date.UTC(2026, 4, 4, 9);

function aMemory(fields: Partial<Memory> = {}): Memory {
  return { outstandingMs: nowMs - 1000, marks: new Map(), isCut: false, ...fields };
}

function marksOf(count: number): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, index) => [1_000_000 + index, nowMs + index]));
}

const backfill = { ...backfillFrom(nowMs), pass: 2, sweptTo: 7, pages: new Map([[7, 3]]) } as const;

test.each<[what: string, memory: Memory]>([
  ['without content', aMemory()],
  ['with marks', aMemory({ marks: marksOf(3) })],
  ['with a backfill', aMemory({ backfill })],
  ['with a start', aMemory({ isCut: true, startMs: nowMs })],
])('§6: a memory %s is unchanged after conversion to JSON and back', (_, memory) => {
  expect(readMemory(JSON.parse(JSON.stringify(writeMemory(memory))))).toEqual(memory);
});

test.each([
  null,
  'text',
  [],
  {},
  { w: nowMs },
  { w: '1', r: {} },
  { w: -1, r: {} },
  { w: nowMs, r: [] },
  { w: nowMs, r: { seven: 1 } },
  { w: nowMs, r: { 7: '1' } },
  { w: nowMs, r: {}, s: 1.5 },
  { w: nowMs, r: {}, b: null },
  { w: nowMs, r: {}, b: { h: nowMs, p: 3, n: 0, d: {} } },
  { w: nowMs, r: {}, b: { h: nowMs, p: 1, n: 0 } },
])('refuses %j as a memory', (json) => {
  expect(readMemory(json)).toBeUndefined();
});

describe('§6: a memory over the limit', () => {
  test('is unchanged if it fits', () => {
    const memory = aMemory({ marks: marksOf(300), backfill });
    expect(fitMemory(memory, 8000)).toEqual(memory);
  });

  test('drops the quietest projects first; they are then listed from the oldest of their marks on', () => {
    const marks = marksOf(600);
    marks.set(5, nowMs - 5000);
    const fitted = fitMemory(aMemory({ marks, outstandingMs: nowMs + 9999 }), 8000);
    expect([fitted.isCut, fitted.outstandingMs]).toEqual([true, nowMs - 5000]);
    expect(fitted.marks.size).toBeGreaterThan(300);
    expect([...fitted.marks]).toEqual([...marks].slice(600 - fitted.marks.size, 600));
    expect(marks.size).toBe(601);
  });

  test('never moves its instant forward after it was shortened', () => {
    const fitted = fitMemory(aMemory({ marks: marksOf(600), isCut: true, outstandingMs: 5 }), 8000);
    expect(fitted.outstandingMs).toBe(5);
  });

  test.each([60, 61, 100, 1000, 8000])('is shortened to at most %d bytes', (bytesMax) => {
    const pages = new Map([...marksOf(700).keys()].map((id) => [id, 2]));
    const memory = aMemory({ outstandingMs: 0, marks: marksOf(700) });
    expect(sizeOf(fitMemory(memory, bytesMax))).toBeLessThanOrEqual(bytesMax);
    const busy = aMemory({ marks: marksOf(700), backfill: { ...backfill, pages } });
    expect(sizeOf(fitMemory(busy, bytesMax + 60))).toBeLessThanOrEqual(bytesMax + 60);
  });

  test('restarts the second pass of a backfill that is too long', () => {
    const pages = new Map([...marksOf(700).keys()].map((id) => [id, 2]));
    const fitted = fitMemory(aMemory({ backfill: { ...backfill, pages } }), 8000);
    expect(fitted.backfill).toEqual({ horizonMs: nowMs, pass: 2, sweptTo: 0, pages: new Map() });
  });
});

function sizeOf(memory: Memory): number {
  return JSON.stringify(writeMemory(memory)).length;
}
