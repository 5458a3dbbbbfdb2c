import type { ControlStreamEvent } from '@shiplog/contract';
import { TestClock, testLogger } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { ResetPart } from '../src/reset-part.ts';

const at = '2026-05-04T09:00:00Z';

/** A reset part with a fake fetcher that records calls. `drain` resolves when `release` is called. */
function parted() {
  const clock = new TestClock();
  const told: string[] = [];
  const draining: (() => void)[] = [];
  const part = new ResetPart({
    clock,
    logger: testLogger(undefined),
    ttlMs: 90_000,
    drain: () => {
      told.push('drain');
      return new Promise((resolve) => draining.push(resolve));
    },
    ack: async (id) => void told.push(`ack ${id}`),
    restart: async (id, from) => void told.push(`restart ${id} ${from.toISOString()}`),
    resume: async () => void told.push('resume'),
  });
  const take = (type: string, id: string, reset = id) => {
    const frame: ControlStreamEvent = { id, type, component: '*', correlation_id: reset, occurred_at: at };
    part.take(frame);
  };
  /** Ends every drain in progress, and waits for the following steps. */
  const settle = async () => {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      for (const resolve of draining.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    } while (draining.length > 0);
  };
  return { part, take, told, clock, settle };
}

test('a component acks after draining, and starts over when the reset is completed', async () => {
  const { part, take, told, settle } = parted();
  take('reset-initiated', 'a');
  await new Promise((resolve) => setImmediate(resolve));
  expect([told, part.isPaused]).toEqual([['drain'], true]);
  await settle();
  expect(told).toEqual(['drain', 'ack a']);
  take('reset-started', 's', 'a');
  take('news-of-next-year', 'n', 'a');
  take('reset-completed', 'c', 'a');
  await settle();
  expect([told.slice(2), part.isPaused]).toEqual([['restart a 2026-05-04T09:00:00.000Z'], false]);
});

test('the completion of another reset changes nothing', async () => {
  const { part, take, told, settle } = parted();
  take('reset-completed', 'c', 'z');
  take('reset-initiated', 'a');
  await settle();
  take('reset-completed', 'c', 'z');
  await settle();
  expect([told, part.isPaused]).toEqual([['drain', 'ack a'], true]);
});

test('a second reset replaces the first, and its end is ignored', async () => {
  const { part, take, told, settle } = parted();
  take('reset-initiated', 'a');
  take('reset-initiated', 'b');
  take('reset-completed', 'c', 'a');
  await settle();
  expect([told, part.isPaused]).toEqual([['drain', 'drain', 'ack b'], true]);
  take('reset-completed', 'd', 'b');
  await settle();
  expect(told.at(-1)).toMatch(/^restart b/);
});

test('a completion that arrives during the drain takes effect after the drain', async () => {
  const { take, told, settle } = parted();
  take('reset-initiated', 'a');
  take('reset-completed', 'c', 'a');
  await settle();
  expect(told).toEqual(['drain', 'ack a', 'restart a 2026-05-04T09:00:00.000Z']);
});

test('a component resumes when the reset is aborted', async () => {
  const { take, told, settle } = parted();
  take('reset-initiated', 'a');
  await settle();
  take('reset-aborted', 'x', 'a');
  await settle();
  expect(told).toEqual(['drain', 'ack a', 'resume']);
});

test('a component resumes when the reset times out, and ignores a late completion', async () => {
  const { part, take, told, clock, settle } = parted();
  take('reset-initiated', 'a');
  await settle();
  await clock.pass(90_000);
  await settle();
  take('reset-completed', 'c', 'a');
  await settle();
  expect([told, part.isPaused]).toEqual([['drain', 'ack a', 'resume'], false]);
});

test('a reset that has ended does not time out', async () => {
  const { take, told, clock, settle } = parted();
  take('reset-initiated', 'a');
  await settle();
  take('reset-completed', 'c', 'a');
  await settle();
  clock.advance(90_000);
  await settle();
  expect(told.filter((step) => step === 'resume')).toEqual([]);
});
