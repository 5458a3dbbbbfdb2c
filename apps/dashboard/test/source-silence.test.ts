import { type Client, createClient } from '@shiplog/client';
import { headerNames, limits, streams } from '@shiplog/contract';
import { frameText } from '@shiplog/streams';
import {
  type Act,
  anEvent,
  minute,
  NetworkProxy,
  ScriptedServer,
  sends,
  testDatabase,
  testService,
} from '@shiplog/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Source } from '../src/live/source.ts';
import { sourceTimes } from '../src/live/source-times.ts';
import { isLive, matrix, post, Tab, watch } from './support/source.ts';

test('a service that accepts calls and never answers is detected, and its missed events are loaded later', async () => {
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const way = await NetworkProxy.open(url);
  const first = await post(url, { version: '1' });
  const { tab } = watch(new URL(way.url).origin, {
    client: createClient({ baseUrl: new URL(way.url).origin, timeoutMs: 3_600_000 }),
    times: { silentMs: 200, graceMs: 50, answerMs: 100 },
  });
  await tab.until(isLive(tab));
  way.way = 'silent';
  await tab.until(() => tab.links.at(-1) === 'away');
  const missed = await post(url, { version: '2', happened_at: minute(1) });
  way.way = 'open';
  await tab.until(() => tab.ids.includes(missed));
  await tab.until(isLive(tab));
  expect(tab.ids).toEqual([missed]);
  expect(tab.missed[0]).toBe(first);
  expect(tab.board).toEqual(await matrix(url));
});

test('an unavailable service is checked as soon as the grace period of the stream ends, and the loss has its time', async () => {
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const way = await NetworkProxy.open(url);
  const hour = 3_600_000;
  const { tab } = watch(new URL(way.url).origin, { times: { graceMs: 50, checkMs: hour, pollMs: hour } });
  await tab.until(isLive(tab));
  expect(tab.lostAt).toBe(undefined);
  const brokeAt = Date.now();
  way.way = 'refused';
  await tab.until(() => tab.links.at(-1) === 'away');
  expect(tab.lostAt).toBeGreaterThanOrEqual(brokeAt);
  expect(tab.lostAt).toBeLessThanOrEqual(Date.now() - 50);
});

describe('a silent stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  const position = '0';
  const frame = (id: string) =>
    frameText({ id, event: streams.deployments.frameName, data: JSON.stringify({ ...anEvent(), id }) });

  /** A service that answers calls, with a scripted stream. */
  async function overStream(...acts: readonly Act[]) {
    const server = await ScriptedServer.open(...acts);
    const headers = new Headers({ [headerNames.streamPosition]: position });
    const answer = async (body: object) => ({ status: 200, headers, body });
    let reopened = () => {};
    const isReopened = new Promise<void>((resolve) => {
      reopened = resolve;
    });
    const client = {
      getMatrix: () => answer({ environments: [], rows: [] }),
      // Requested once a stream is open.
      listDeployments: () => {
        if (server.received.length > 1) reopened();
        return answer({ items: [], next_cursor: null });
      },
      getDeployment: () => answer({}),
    } as unknown as Client;
    const tab = new Tab();
    const over = new AbortController();
    const running = new Source({ client, streamUrl: server.url, send: tab.send, signal: over.signal }).run();
    onTestFinished(() => {
      over.abort();
      return running;
    });
    await tab.until(isLive(tab));
    return { tab, server, isReopened };
  }

  test("if a stream falls silent and doesn't recover, the page shows it as live for at most 20 s", async () => {
    const { tab } = await overStream(sends(': ping\n\n'), () => undefined);
    await vi.advanceTimersByTimeAsync(16_900);
    expect(tab.links.at(-1)).toBe('live');
    await vi.advanceTimersByTimeAsync(3100);
    expect(tab.links.at(-1)).toBe('polling');
  });

  test('a silent stream is replaced, with no alarm if the replacement succeeds', async () => {
    const { tab, server, isReopened } = await overStream(sends(frame('1')), sends());
    await vi.advanceTimersByTimeAsync(18_000);
    await isReopened;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(server.lastEventIds).toEqual([position, '1']);
    expect(new Set(tab.links.slice(tab.links.indexOf('live')))).toEqual(new Set(['live']));
  });

  test('a late ping is tolerated, and a check is answered or fails within 20 s', () => {
    expect(sourceTimes.silentMs).toBeGreaterThan(limits.heartbeatSeconds * 1000);
    expect(sourceTimes.checkMs + sourceTimes.answerMs).toBeLessThanOrEqual(20_000);
  });
});
