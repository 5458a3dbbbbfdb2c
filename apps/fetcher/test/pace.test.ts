import { expect, test } from 'vitest';
import { Pace } from '../src/tool/pace.ts';

test('a share of a minute is used up before the minute is, and both have room again a minute later', () => {
  const pace = new Pace(10);
  for (let request = 0; request < 8; request += 1) pace.sent(request);
  expect([pace.hasRoom(8, 0.8), pace.hasRoom(8, 1), pace.waitMs(8)]).toEqual([false, true, 0]);
  pace.sent(8);
  pace.sent(9);
  expect([pace.hasRoom(9, 1), pace.waitMs(9)]).toEqual([false, 59_991]);
  expect([pace.hasRoom(60_002, 0.8), pace.hasRoom(60_000, 1)]).toEqual([true, true]);
});
