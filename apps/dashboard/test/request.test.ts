import { CallRefused } from '@shiplog/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Phase, pagesOf, type RequestEvent, requestTable, startRequest } from '../src/live/request.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refusal = (status: number) => new CallRefused('call', status, new Headers({ 'Retry-After': '7' }), undefined);

test.each([
  ['is overloaded gets another request after its Retry-After', refusal(503), 7000],
  ['limits this client gets another request after its Retry-After', refusal(429), 7000],
  ['refuses for another reason gets another request at the interval', refusal(500), 60_000],
  ["can't be reached gets another request at the interval", new TypeError('fetch failed'), 60_000],
])('a service that %s', async (_, failure, waitMs) => {
  const ask = vi.fn(async () => {}).mockRejectedValueOnce(failure);
  const { end } = startRequest(ask, { everyMs: 60_000 });
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});

test('an overloaded service gets no request before its Retry-After, whatever changes meanwhile', async () => {
  const ask = vi.fn(async () => {}).mockRejectedValueOnce(refusal(503));
  const { changed, end } = startRequest(ask, { everyMs: 60_000 });
  await vi.advanceTimersByTimeAsync(1000);
  changed();
  await vi.advanceTimersByTimeAsync(5999);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
  changed();
  await vi.advanceTimersByTimeAsync(1000);
  expect(ask).toHaveBeenCalledTimes(3);
  end();
});

test('changes that arrive during a request cause one more request', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const ask = vi.fn(() => answered);
  const { changed, end } = startRequest(ask);
  changed();
  changed();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(1);
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});

test('a retry aborts the running attempt and ignores its response', async () => {
  const signals: AbortSignal[] = [];
  const { retry, end } = startRequest((signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  retry();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  end();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('a request with an interval waits until the page is visible, and one without an interval is also sent from a hidden page', async () => {
  const page = Object.assign(new EventTarget(), { hidden: true });
  vi.stubGlobal('document', page);
  const [regular, single] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const ends = [startRequest(regular, { everyMs: 60_000 }), startRequest(single)].map(({ end }) => end);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([regular.mock.calls.length, single.mock.calls.length]).toEqual([0, 1]);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(regular).toHaveBeenCalledTimes(1);
  for (const end of ends) end();
});

test('every state of a request leads to a new request, and every state can be reached', () => {
  const phases = Object.keys(requestTable) as Phase[];
  const reached = (from: Phase, found = new Set<Phase>()): Set<Phase> => {
    for (const next of Object.values(requestTable[from])) if (!found.has(next)) reached(next, found.add(next));
    return found;
  };
  for (const phase of phases) expect([phase, reached(phase).has('asking')]).toEqual([phase, true]);
  // The page may be hidden while a request waits, whatever the previous state of the request.
  expect([...reached('asking')].toSorted()).toEqual(phases.toSorted());
  const events = new Set(Object.values(requestTable).flatMap((row) => Object.keys(row) as RequestEvent[]));
  expect(events.size).toBe(7);
});

test.each([
  ['all pages', 5, ['a', 'b', 'c']],
  ['as many pages as are allowed', 2, ['a', 'b']],
])('reads %s of a listing, each page from the cursor of the previous one', async (_, pagesMax, expected) => {
  const pages = new Map([
    [undefined, { name: 'a', next_cursor: '1' }],
    ['1', { name: 'b', next_cursor: '2' }],
    ['2', { name: 'c', next_cursor: null }],
  ]);
  const read: string[] = [];
  const ask = async ({ cursor }: { readonly cursor?: string }) => {
    const body = pages.get(cursor);
    if (!body) throw new Error(`no page at ${cursor}`);
    return { body };
  };
  for await (const { name } of pagesOf(ask, pagesMax)) read.push(name);
  expect(read).toEqual(expected);
});
