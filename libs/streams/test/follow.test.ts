import type { ServerResponse } from 'node:http';
import { answers, ScriptedServer, sends, sendsAll, sendsAndCuts, trickles } from '@shiplog/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FollowOptions, type Frame, follow, frameText } from '../src/index.ts';

const soon = { backoffMinMs: 1, backoffMaxMs: 4 };

function frame(id: string): string {
  return frameText({ id, event: 'deployment', data: `{"n":"${id}"}` });
}

/** Follows a server until the test ends. The test requests frames one by one. */
function follower(server: ScriptedServer, options: Partial<FollowOptions> = {}) {
  const stopping = new AbortController();
  const frames = follow({ url: `${server.url}/stream`, signal: stopping.signal, ...soon, ...options });
  onTestFinished(async () => {
    stopping.abort();
    await frames.return();
  });
  const take = async (count: number): Promise<Frame[]> => {
    const taken: Frame[] = [];
    while (taken.length < count) {
      const { value, done } = await frames.next();
      if (done) break;
      taken.push(value);
    }
    return taken;
  };
  return { frames, take, stopping, ids: async (count: number) => (await take(count)).map(({ id }) => id) };
}

test('frames have id, event and data, and comments are skipped', async () => {
  const server = await ScriptedServer.open(
    sends('retry: 2000\n\n: ping\n\n', frame('1'), ': ping\n\n', 'data: bare\n\n', 'event: empty\nid: 9\ndata:\n\n'),
  );
  expect(await follower(server).take(3)).toEqual([
    { id: '1', event: 'deployment', data: '{"n":"1"}' },
    { id: undefined, event: 'message', data: 'bare' },
    { id: '9', event: 'empty', data: '' },
  ]);
});

test('a frame is parsed however it is split, even within a character', async () => {
  const bytes = Buffer.from(frameText({ id: '1', event: 'deployment', data: '"é🚢"' }));
  const server = await ScriptedServer.open(trickles(bytes));
  expect(await follower(server).take(1)).toEqual([{ id: '1', event: 'deployment', data: '"é🚢"' }]);
});

test('after the end of a stream, the client reconnects with the last id', async () => {
  const server = await ScriptedServer.open(
    sendsAll(frame('1'), frame('2')),
    sendsAndCuts(frame('3')),
    sendsAll('event: x\ndata: without id\n\n'),
    sends(frame('4')),
  );
  expect(await follower(server).ids(5)).toEqual(['1', '2', '3', undefined, '4']);
  expect(server.lastEventIds).toEqual([undefined, '2', '3', '3']);
});

test('a truncated frame is not yielded, and the client requests it again', async () => {
  const server = await ScriptedServer.open(sendsAndCuts(frame('1'), frame('2').slice(0, -1)), sends(frame('2')));
  expect(await follower(server).ids(2)).toEqual(['1', '2']);
  expect(server.lastEventIds).toEqual([undefined, '1']);
});

test.each([
  ['an endless line', (size: number) => `data: ${'x'.repeat(size)}`],
  ['lines that never end a frame', (size: number) => `data: ${'x'.repeat(99)}\n`.repeat(size / 100)],
])('the client closes the connection after %s and reconnects with the last id', async (_, endless) => {
  const server = await ScriptedServer.open(sends(frame('1'), endless(2_000_000)), sends(frame('2')));
  const reasons: string[] = [];
  expect(await follower(server, { onDown: (reason) => reasons.push(reason) }).ids(2)).toEqual(['1', '2']);
  expect(reasons).toEqual(['a frame is longer than 1048576 characters']);
  expect(server.lastEventIds).toEqual([undefined, '1']);
});

test('many frames together may exceed the limit for a single frame', async () => {
  const long = (id: string) => frameText({ id, event: 'deployment', data: 'x'.repeat(300_000) });
  const server = await ScriptedServer.open(
    sends(': ping\n'.repeat(200_000), ...['1', '2', '3', '4', '5', '6'].map(long)),
  );
  expect(await follower(server).ids(6)).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('a stream starts at the given id, and the given headers are sent with every request', async () => {
  const server = await ScriptedServer.open(sendsAll(frame('8')), sends(frame('9')));
  const { ids } = follower(server, { lastEventId: '7', headers: { 'x-control-api-key': 'k' } });
  expect(await ids(2)).toEqual(['8', '9']);
  expect(server.lastEventIds).toEqual(['7', '8']);
  for (const { headers } of server.received) {
    expect(headers).toMatchObject({ 'x-control-api-key': 'k', accept: 'text/event-stream' });
  }
});

test('any error status is retried', async () => {
  const statuses = [401, 404, 202, 204, 301, 500, 503];
  const acts = statuses.map((status) => answers(status, '', { location: '/elsewhere' }));
  const server = await ScriptedServer.open(...acts, sends(frame('1')));
  const reasons: string[] = [];
  const { ids } = follower(server, { onDown: (reason) => reasons.push(reason) });
  expect(await ids(1)).toEqual(['1']);
  expect(reasons).toEqual(statuses.map((status) => `answered ${status}`));
  expect(server.received.map((request) => request.url)).toEqual(server.received.map(() => '/stream'));
});

test('the client retries while the server is unreachable, and reports the reason', async () => {
  const server = await ScriptedServer.open((response) => response.destroy(), sends(frame('1')));
  const reasons: string[] = [];
  expect(await follower(server, { onDown: (reason) => reasons.push(reason) }).ids(1)).toEqual(['1']);
  expect(reasons).toEqual(['fetch failed: other side closed']);
});

test('an open connection is reported with its response headers, and a lost one with its reason', async () => {
  const server = await ScriptedServer.open(sendsAll(frame('1')), sends(frame('2')));
  const told: string[] = [];
  const { ids } = follower(server, {
    onOpen: (headers) => told.push(`up ${headers.get('x-stream-resume')}`),
    onDown: (reason) => told.push(`down: ${reason}`),
  });
  await ids(2);
  expect(told).toEqual(['up replay', 'down: the stream ended', 'up replay']);
});

describe('an aborted stream ends immediately', () => {
  test('while it waits for a frame', async () => {
    const server = await ScriptedServer.open(sends(frame('1')));
    const downs: string[] = [];
    const { take, stopping, frames } = follower(server, { onDown: (reason) => downs.push(reason) });
    await take(1);
    const next = frames.next();
    const [request] = server.received;
    const closed = server.until(() => request?.closed ?? false);
    stopping.abort();
    expect((await next).done).toBe(true);
    expect(downs).toEqual([]);
    await closed;
  });

  test('while it waits for a response', async () => {
    const server = await ScriptedServer.open(() => undefined);
    const { stopping, frames } = follower(server);
    const next = frames.next();
    await server.asked(1);
    stopping.abort();
    expect((await next).done).toBe(true);
  });

  test('while it waits before it reconnects', async () => {
    const server = await ScriptedServer.open(answers(503));
    const stopping = new AbortController();
    const { frames } = follower(server, {
      signal: stopping.signal,
      backoffMinMs: 3_600_000,
      onDown: () => setImmediate(() => stopping.abort()),
    });
    expect((await frames.next()).done).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  test('before it has started', async () => {
    const server = await ScriptedServer.open(sends(frame('1')));
    const { stopping, frames } = follower(server);
    stopping.abort();
    expect((await frames.next()).done).toBe(true);
    expect(server.received).toHaveLength(0);
  });

  test('when its consumer stops', async () => {
    const server = await ScriptedServer.open(sends(frame('1'), frame('2')));
    const { frames } = follower(server);
    for await (const { id } of frames) {
      expect(id).toBe('1');
      break;
    }
    const [request] = server.received;
    await server.until(() => request?.closed ?? false);
  });
});

describe('with a fake clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Follows a server; the clock advances during each wait before a reconnect. Returns the length of each wait. */
  function waits(server: ScriptedServer, options: Partial<FollowOptions>) {
    const waitsMs: number[] = [];
    const followed = follower(server, {
      ...options,
      onDown: (_, retryMs) => {
        waitsMs.push(retryMs);
        setImmediate(() => vi.advanceTimersByTime(retryMs));
      },
    });
    return { ...followed, waitsMs };
  }

  test('the client waits longer after each failure, up to a limit, and resets the wait after a connection', async () => {
    const refusals = Array.from({ length: 8 }, () => answers(503));
    const server = await ScriptedServer.open(...refusals, sendsAll(), answers(503), sends(frame('1')));
    const times = { backoffMinMs: 1000, backoffMaxMs: 60_000, random: () => 1 };
    const { ids, waitsMs } = waits(server, times);
    await ids(1);
    expect(waitsMs).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 1000, 2000]);
  });

  test('jitter shortens a wait by up to half, but never below the minimum', async () => {
    const refusals = Array.from({ length: 5 }, () => answers(503));
    const server = await ScriptedServer.open(...refusals, sends(frame('1')));
    const { ids, waitsMs } = waits(server, { backoffMinMs: 1000, backoffMaxMs: 8000, random: () => 0 });
    await ids(1);
    expect(waitsMs).toEqual([1000, 1000, 2000, 4000, 4000]);
  });

  test('a connection that is silent for three heartbeats is closed, and the next one continues after the last id', async () => {
    const server = await ScriptedServer.open(sends(frame('1')), sends(frame('2')));
    const reasons: string[] = [];
    const { frames, ids } = follower(server, {
      heartbeatMs: 1000,
      onDown: (reason, retryMs) => {
        reasons.push(reason);
        setImmediate(() => vi.advanceTimersByTime(retryMs));
      },
    });
    expect(await ids(1)).toEqual(['1']);
    const next = frames.next();
    vi.advanceTimersByTime(2999);
    expect(reasons).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await next).toEqual({ done: false, value: expect.objectContaining({ id: '2' }) });
    expect(reasons).toEqual(['the connection has gone silent']);
    expect(server.lastEventIds).toEqual([undefined, '1']);
  });

  test('a connection to a server that never responds is closed', async () => {
    const server = await ScriptedServer.open(() => undefined, sends(frame('1')));
    const { frames } = follower(server, {
      heartbeatMs: 1000,
      onDown: (_, retryMs) => setImmediate(() => vi.advanceTimersByTime(retryMs)),
    });
    const next = frames.next();
    await server.asked(1);
    vi.advanceTimersByTime(3000);
    expect((await next).value).toMatchObject({ id: '1' });
  });

  test('a connection that occasionally receives bytes stays open', async () => {
    const open: ServerResponse[] = [];
    const server = await ScriptedServer.open((response, request) => {
      sends(': ping\n\n')(response, request);
      open.push(response);
    });
    const { frames } = follower(server, { heartbeatMs: 1000 });
    let next = frames.next();
    await server.asked(1);
    for (const id of ['1', '2', '3', '4', '5']) {
      open[0]?.write(`: ping\n\n${frame(id)}`);
      expect((await next).value).toMatchObject({ id });
      next = frames.next();
      vi.advanceTimersByTime(2000);
    }
    expect(server.received).toHaveLength(1);
  });
});
