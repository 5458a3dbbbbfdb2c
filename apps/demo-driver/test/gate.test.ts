import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Gate } from '../src/gate.ts';

test('the remaining time is at least a second, even if the clock is ahead of the timer', () => {
  const clock = new TestClock();
  const late = { now: () => clock.now(), sleep: () => new Promise<void>(() => undefined) };
  const gate = new Gate({ clock: late, ttlMs: 5000, onExpired: () => undefined });
  gate.close();
  expect(gate.remainingSeconds).toBe(5);
  clock.advance(7000);
  expect(gate.remainingSeconds).toBe(1);
});

test('an opened gate does not expire, and a gate that is closed twice expires once', async () => {
  const clock = new TestClock();
  let expiries = 0;
  const gate = new Gate({
    clock,
    ttlMs: 5000,
    onExpired: () => {
      expiries += 1;
    },
  });
  gate.close();
  gate.open();
  clock.advance(5000);
  await Promise.resolve();
  expect(expiries).toBe(0);
  gate.close();
  clock.advance(4000);
  gate.close();
  clock.advance(4999);
  await Promise.resolve();
  expect(expiries).toBe(0);
  clock.advance(1);
  await Promise.resolve();
  expect(expiries).toBe(1);
});
