import type { Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { Backlog } from '../src/domain/backlog.ts';
import type { DigestMessage } from '../src/domain/message.ts';
import { idAt, news } from './support/events.ts';

const hourMs = 3_600_000;

/**
 * A backlog with a clock. `took` lists the sent messages: the number of an event, or in brackets the count of a digest.
 */
function trial({ burst = 3, maxAgeMs = 6 * hourMs } = {}) {
  const backlog = new Backlog({ burst, maxAgeMs });
  let nowMs = Date.UTC(2026, 4, 4);
  let made = 0;
  const took: (number | [number])[] = [];
  const numbers = new Map<string, number>();
  const add = (count = 1, status?: Status) => {
    for (let left = count; left > 0; left -= 1) {
      made += 1;
      const id = idAt(nowMs, made);
      numbers.set(id, made);
      backlog.add(news({ id, status: status ?? (made % 2 === 0 ? 'cancelled' : 'success') }), nowMs, {
        before: `before ${made}`,
        nowMs,
      });
    }
  };
  /** Sends the messages that are due; returns the wait until the next one. */
  const send = (outcome: 'delivered' | 'dropped' | 'failed' = 'delivered'): number | undefined => {
    for (;;) {
      const next = backlog.next(nowMs);
      if (!next) return undefined;
      if ('waitMs' in next) return next.waitMs;
      const { message } = next;
      const id = message.kind === 'deployment' ? message.event.id : message.id;
      took.push(message.kind === 'digest' ? [message.count] : (numbers.get(id) ?? 0));
      backlog.begin();
      backlog.end(outcome, nowMs);
      if (outcome === 'failed') return 0;
    }
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { backlog, add, send, pass, took, now: () => nowMs };
}

test('messages within the burst limit are sent one by one, the others in a digest as soon as the limit allows it', () => {
  const { add, send, pass, took } = trial();
  add(10);
  expect([send(), took]).toEqual([60_000, [1, 2, 3]]);
  pass(59_999);
  expect([send(), took]).toEqual([1, [1, 2, 3]]);
  pass(1);
  expect([send(), took]).toEqual([undefined, [1, 2, 3, [7]]]);
});

test('a digest counts messages by status, and names its first and its last event', () => {
  const { backlog, add, now } = trial({ burst: 1 });
  add(4);
  const first = backlog.next(now());
  expect(first).toMatchObject({ message: { kind: 'deployment' } });
  backlog.end('delivered', now());
  expect(backlog.next(now() + 60_000)).toEqual({
    message: {
      kind: 'digest',
      id: expect.any(String),
      ...{ count: 3, firstId: idAt(now(), 2), lastId: idAt(now(), 4), statuses: { cancelled: 2, success: 1 } },
      ...{ places: [{ service: 'payments-api', environment: 'staging', count: 3 }], failures: [] },
      at: new Date(now()).toISOString(),
    },
  });
});

test('in any 60 s, at most as many single messages as the burst limit are sent', () => {
  const { add, send, pass, took, now } = trial();
  const sentAt: number[] = [];
  for (let second = 0; second < 600; second += 7) {
    const before = took.length;
    add();
    send();
    for (const one of took.slice(before)) if (typeof one === 'number') sentAt.push(now());
    pass(7000);
  }
  expect(sentAt.length).toBeGreaterThan(20);
  for (const at of sentAt)
    expect(sentAt.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(3);
});

test('after a long outage messages older than max_age are combined in one digest, the others sent one by one', () => {
  const { add, send, pass, took } = trial();
  add(2);
  send('failed');
  pass(6 * hourMs - 1);
  add();
  expect(send('failed')).toBe(0);
  pass(1);
  expect([send(), took]).toEqual([undefined, [1, 1, [2], 3]]);
});

test('after an outage of several days only one digest is sent', () => {
  const { backlog, add, send, pass, took } = trial();
  for (let hour = 0; hour < 48; hour += 1) {
    add(100);
    send('failed');
    pass(hourMs);
  }
  expect(backlog.count).toBe(4800);
  pass(6 * hourMs);
  took.length = 0;
  expect([send(), took]).toEqual([undefined, [[4800]]]);
});

test('the id of a digest changes only if it grew between two attempts', () => {
  const { backlog, add, now } = trial({ burst: 1 });
  const idOf = () => {
    const next = backlog.next(now() + 60_000);
    return next && 'message' in next ? next.message.id : undefined;
  };
  add(3);
  backlog.next(now());
  backlog.end('delivered', now());
  const id = idOf();
  backlog.begin();
  backlog.end('failed', now());
  expect(idOf()).toBe(id);
  add();
  expect(idOf()).not.toBe(id);
});

test('an event that arrives while a digest is sent goes into the next digest', () => {
  const { backlog, add, send, took, pass, now } = trial({ burst: 1 });
  add(3);
  send();
  pass(60_000);
  expect(backlog.next(now())).toMatchObject({ message: { count: 2 } });
  backlog.begin();
  add(2);
  backlog.end('delivered', now());
  expect(backlog.count).toBe(2);
  send();
  pass(60_000);
  send();
  expect(took).toEqual([1, 4, [1]]);
});

test('the position is the one before the first waiting message', () => {
  const { backlog, add, send, now } = trial();
  expect(backlog.position).toBeUndefined();
  add(2);
  expect(backlog.position).toBe('before 1');
  backlog.next(now());
  backlog.begin();
  backlog.end('dropped', now());
  expect(backlog.position).toBe('before 2');
  send();
  expect(backlog.position).toBeUndefined();
});

test('a restart does not reset the burst limit', () => {
  const { backlog, add, send, now } = trial();
  add(3);
  send();
  const next = new Backlog({ burst: 3, maxAgeMs: hourMs });
  next.remember(backlog.recent(now()));
  next.add(news(), now(), { before: '', nowMs: now() });
  expect(next.next(now())).toEqual({ waitMs: 60_000 });
});

test('a failure is sent in order, and the digest before it names the failure', () => {
  const { add, send, pass, took } = trial({ burst: 1 });
  add(2);
  add(1, 'failure');
  expect([send(), took]).toEqual([60_000, [1]]);
  pass(60_000);
  expect([send(), took]).toEqual([undefined, [1, [2]]]);
});

test('a target without a burst limit gets one message per event', () => {
  const { add, send, took } = trial({ burst: Number.POSITIVE_INFINITY });
  add(500);
  expect([send(), took.length, new Set(took).size]).toEqual([undefined, 500, 500]);
});

test('the number of waiting messages is bounded, and more events are counted in a digest', () => {
  const { backlog, add, send, took } = trial({ burst: Number.POSITIVE_INFINITY });
  add(10_000);
  add(100, 'failure');
  add(7);
  expect(backlog.count).toBe(10_107);
  send();
  expect([took.length, took.at(-1)]).toEqual([10_001, [107]]);
});

test('a digest names its slots with counts and its failures, up to a limit', () => {
  const maxAgeMs = hourMs;
  const backlog = new Backlog({ burst: 1, maxAgeMs });
  const add = (number: number, service: string, status: Status) =>
    backlog.add(news({ id: idAt(0, number), service, status }), 0, { before: '', nowMs: 0 });
  for (let number = 0; number < 60; number += 1) add(number, `s-${number % 2 ? 1 : number}`, 'failure');
  const { message } = backlog.next(maxAgeMs) as { message: DigestMessage };
  expect(message.places.slice(0, 3)).toEqual([
    { service: 's-0', environment: 'staging', count: 1 },
    { service: 's-1', environment: 'staging', count: 30 },
    { service: 's-2', environment: 'staging', count: 1 },
  ]);
  expect([message.count, message.places.length, message.failures.length]).toEqual([60, 31, 20]);
  expect(message.failures[0]).toMatchObject({ id: idAt(0, 0), service: 's-0', status: 'failure' });
});
