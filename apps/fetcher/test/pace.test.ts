import { expect, test } from 'vitest';
import { Pace } from '../src/tool/pace.ts';

function send(pace: Pace, count: number, nowMs: number, isPast = false): void {
  for (let request = 0; request < count; request += 1) pace.sent(nowMs, isPast);
}

test('polling of all places may use four fifths of the requests in each minute', () => {
  const pace = new Pace(10);
  send(pace, 8, 0);
  expect([pace.hasTurn(8), pace.hasSpare(8), pace.waitMs(8)]).toEqual([false, true, 0]);
  send(pace, 2, 8);
  expect([pace.hasSpare(9), pace.waitMs(9)]).toEqual([false, 59_991]);
  expect([pace.hasTurn(60_002), pace.hasSpare(60_000)]).toEqual([true, true]);
});

test('the backfill reserves for polling the requests of its last cycle and a fifth of the minute', () => {
  const pace = new Pace(100);
  send(pace, 30, 0);
  pace.cycleOver(0);
  let past = 0;
  for (; pace.hasSpare(1); past += 1) pace.sent(1, true);
  expect(past).toBe(50);
  send(pace, 20, 2);
  expect([pace.waitMs(2), pace.hasTurn(2)]).toEqual([60_000 - 2, false]);
});

test('the backfill gets a fifth of the minute even if polling uses its full share', () => {
  const pace = new Pace(100);
  send(pace, 80, 0);
  pace.cycleOver(0);
  let past = 0;
  for (; pace.hasSpare(1); past += 1) pace.sent(1, true);
  expect([past, pace.hasTurn(1)]).toEqual([20, false]);
});

test('after a cycle that the rate limit cut short, the backfill gets only its fifth of the minute', () => {
  const pace = new Pace(100);
  send(pace, 60, 0, true);
  while (pace.hasTurn(1)) pace.sent(1, false);
  pace.cycleOver(1);
  expect([pace.hasSpare(60_002), pace.hasTurn(60_002)]).toEqual([true, true]);
  send(pace, 20, 60_002, true);
  expect([pace.hasSpare(60_002), pace.hasTurn(60_002)]).toEqual([false, true]);
});
