import { CallRefused } from '@shiplog/client';
import type { BoardFacts } from '@shiplog/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FactsSource } from '../src/live/facts-source.ts';
import type { TabMessage } from '../src/live/messages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const facts: BoardFacts = { generated_at: '', ladder: [], production: '', stages: [], places: [], emitters: [] };

/** A source of facts, the times of its requests in seconds, and what the tabs received. */
function started(answer = async (_etag: string | undefined): Promise<number> => 200) {
  const startedAt = Date.now();
  const asked: number[] = [];
  const sent: TabMessage[] = [];
  const getBoardFacts = async ({
    headers: { 'If-None-Match': etag } = {},
  }: {
    headers?: Record<string, string>;
  } = {}) => {
    asked.push(Math.round((Date.now() - startedAt) / 1000));
    const status = await answer(etag);
    const headers = new Headers({ ETag: 'W/"a"', 'X-Stream-Position': String(asked.length), 'Retry-After': '30' });
    if (status >= 400) throw new CallRefused('getBoardFacts', status, headers, undefined);
    return { status, headers, body: facts };
  };
  const source = new FactsSource({ getBoardFacts } as never, (message) => sent.push(message));
  /** Waits while a tab is visible. */
  const wait = async (seconds: number, isVisible = true) => {
    for (let second = 0; second < seconds; second += 1) {
      if (isVisible && second % 60 === 0) source.seen();
      await vi.advanceTimersByTimeAsync(1000);
    }
  };
  return { source, asked, sent, wait };
}

test('facts are requested when the board is known, after changes at most every ten seconds, and every minute', async () => {
  const { source, asked, wait } = started();
  await wait(5);
  expect(asked).toEqual([]);
  source.changed();
  await wait(1);
  for (let change = 0; change < 24; change += 1) {
    source.changed();
    await wait(1);
  }
  expect(asked).toEqual([5, 15, 25]);
  await wait(130);
  expect(asked).toEqual([5, 15, 25, 35, 95, 155]);
  source.changed();
  await wait(6);
  expect(asked.slice(6)).toEqual([165]);
});

test('while no tab is visible, facts are not requested', async () => {
  const { source, asked, wait } = started();
  source.changed();
  await wait(100, false);
  expect(asked).toEqual([]);
  await wait(1);
  expect(asked).toEqual([100]);
  await wait(300, false);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('unchanged facts are not sent again, and a new tab gets the last ones', async () => {
  const { source, sent, wait } = started(async (etag) => (etag === 'W/"a"' ? 304 : 200));
  source.changed();
  await wait(70);
  expect(sent).toEqual([
    { kind: 'facts', facts, position: '1' },
    { kind: 'facts', facts: undefined, position: '2' },
  ]);
  source.greet((message) => sent.push(message));
  expect(sent.at(-1)).toEqual({ kind: 'facts', facts, position: '2' });
});

test.each([
  ['asked again when its Retry-After has passed', 503, [0, 30]],
  ['not asked again if it lacks the call', 404, [0]],
])('a service that refuses is %s', async (_, status, due) => {
  let isRefusing = true;
  const { source, asked, sent, wait } = started(async () => (isRefusing ? status : 200));
  source.changed();
  await wait(1);
  isRefusing = false;
  source.changed();
  await wait(50);
  expect(asked).toEqual(due);
  expect(sent).toHaveLength(1);
});
