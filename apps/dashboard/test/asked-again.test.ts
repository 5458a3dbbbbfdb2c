import { CallRefused } from '@shiplog/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askedAgain } from '../src/live/asked-again.ts';

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
  ['has too much to do is asked again when it wants to be', refusal(503), 7000],
  ['has too much to do for this client is, too', refusal(429), 7000],
  ['refuses for another reason is asked again at the interval', refusal(500), 60_000],
  ['cannot be reached is asked again at the interval', new TypeError('fetch failed'), 60_000],
])('a service that %s', async (_, failure, waitMs) => {
  const ask = vi.fn(async () => {}).mockRejectedValueOnce(failure);
  const { end } = askedAgain(ask, 60_000);
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});

test('a service that has too much to do is not asked before it wants to be, whatever happens meanwhile', async () => {
  const ask = vi.fn(async () => {}).mockRejectedValueOnce(refusal(503));
  const { again, end } = askedAgain(ask, 60_000);
  await vi.advanceTimersByTimeAsync(1000);
  again();
  await vi.advanceTimersByTimeAsync(5999);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
  again();
  await vi.advanceTimersByTimeAsync(1000);
  expect(ask).toHaveBeenCalledTimes(3);
  end();
});
