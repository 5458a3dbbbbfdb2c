import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Cursor, Hub } from '../src/index.ts';
import { MemoryLog } from './support/memory-log.ts';
import { MemorySink } from './support/memory-sink.ts';
import { turn } from './support/turn.ts';

let log: MemoryLog;
let hub: Hub;
let errors: unknown[];

beforeEach(() => {
  log = new MemoryLog(500);
  errors = [];
  hub = new Hub({ log, pollMs: 1000, onError: (error) => errors.push(error) });
});

function connect(from: string, filter?: string): { cursor: Cursor; sink: MemorySink } {
  const sink = new MemorySink();
  const { removals } = log;
  const cursor = new Cursor({ removed: '', removals, pages: log.pages, hub, sink, position: from, filter });
  void cursor.run();
  return { cursor, sink };
}

/** Connects a reader that has read to the end of the log and is live. */
async function connectLive(filter?: string): Promise<{ cursor: Cursor; sink: MemorySink }> {
  const reader = connect(log.entries.at(-1)?.id ?? '', filter);
  await arrive();
  return reader;
}

/** Completes reads until none is requested. */
async function arrive(): Promise<void> {
  await turn();
  while (log.held.size > 0) {
    for (const read of log.held) read.arrive();
    await turn();
  }
}

function idsFrom(first: number): string[] {
  return log.entries.slice(first).map((entry) => entry.id);
}

test("an entry stored between a reader's last page and its join needs no notification", async () => {
  const { sink } = connect('');
  const [page] = log.held;
  page?.see();
  log.append('a');
  hub.wake();
  page?.arrive();
  await arrive();
  expect(sink.ids).toEqual(idsFrom(0));
});

test('entries stored while the hub reads need no second notification', async () => {
  const { sink } = await connectLive();
  log.append('a');
  hub.wake();
  const [read] = log.held;
  read?.see();
  log.append('b');
  hub.wake();
  expect(log.held.size).toBe(1);
  await arrive();
  expect(sink.ids).toEqual(idsFrom(0));
});

test('a hub without readers does not read the log', async () => {
  log.append('a');
  hub.wake();
  await arrive();
  expect(log.readsAsked).toBe(0);
  const { cursor, sink } = await connectLive();
  sink.close();
  cursor.close();
  const before = log.readsAsked;
  hub.wake();
  await arrive();
  expect(log.readsAsked).toBe(before);
  expect(hub.readerCount).toBe(0);
});

test('one notification causes one read for all live readers, with and without a filter', async () => {
  const readers = [await connectLive(), await connectLive(), await connectLive('a'), await connectLive('b')];
  for (const key of ['a', 'b', 'a']) log.append(key);
  const before = log.readsAsked;
  hub.wake();
  await arrive();
  expect(log.readsAsked).toBe(before + 1);
  const [all, again, ofA, ofB] = readers.map(({ sink }) => sink.ids);
  expect(all).toEqual(idsFrom(0));
  expect(again).toEqual(all);
  expect(ofA).toEqual(['00000001', '00000003']);
  expect(ofB).toEqual(['00000002']);
});

test('a reader that is a few entries behind joins without another read', async () => {
  const first = await connectLive();
  for (let n = 0; n < 10; n++) log.append('a');
  hub.wake();
  await arrive();
  const before = log.readsAsked;
  const late = connect('00000004');
  await turn();
  expect(late.sink.ids).toEqual(idsFrom(4));
  // Joining may cause one read by the hub, for later entries.
  await arrive();
  expect(log.readsAsked).toBeLessThanOrEqual(before + 1);
  expect(first.sink.ids).toEqual(idsFrom(0));
});

test('a stalled reader gets no more writes, and continues from its position once it has received everything', async () => {
  const slow = await connectLive();
  const quick = await connectLive();
  slow.sink.stall(40_000);
  for (let n = 0; n < 20; n++) {
    log.append('a');
    hub.wake();
    await arrive();
  }
  expect(quick.sink.ids).toEqual(idsFrom(0));
  expect(slow.sink.ids).toEqual(idsFrom(0).slice(0, 2));
  expect(hub.readerCount).toBe(1);
  slow.sink.take();
  await arrive();
  expect(slow.sink.ids).toEqual(idsFrom(0));
  expect(hub.readerCount).toBe(2);
});

test('a failed read is reported and retried on the next notification', async () => {
  const live = await connectLive();
  log.append('a');
  hub.wake();
  for (const read of log.held) read.fail();
  await turn();
  expect(errors).toHaveLength(1);
  hub.wake();
  await arrive();
  expect(live.sink.ids).toEqual(idsFrom(0));
});

test('a failed read for one reader is reported and not retried before the next notification', async () => {
  log.append('a');
  const { sink } = connect('');
  for (const read of log.held) read.fail();
  await turn();
  expect(errors).toHaveLength(1);
  expect(log.held.size).toBe(0);
  hub.wake();
  await arrive();
  expect(sink.ids).toEqual(idsFrom(0));
});

test('sending a page to live readers is reported once', async () => {
  const told: string[] = [];
  hub = new Hub({
    log,
    pollMs: 1000,
    onError: () => undefined,
    onDispatch: (page) => told.push(...page.entries.map((entry) => entry.id)),
  });
  await connectLive();
  await connectLive('a');
  for (const key of ['a', 'b']) log.append(key);
  hub.wake();
  await arrive();
  expect(told).toEqual(idsFrom(0));
});

describe('a hub that pauses', () => {
  let dispatched: number[];
  let pauses: (() => void)[];

  /** A live reader, and a hub that waits after each page until the last of `pauses` is called. */
  async function connectPausing() {
    dispatched = [];
    pauses = [];
    hub = new Hub({
      log,
      pollMs: 1000,
      onError: () => undefined,
      onDispatch: (page) => dispatched.push(page.entries.length),
      pause: () => new Promise((resolve) => pauses.push(resolve)),
    });
    return connectLive();
  }

  async function appendTwice() {
    for (let count = 0; count < 2; count += 1) {
      log.append('a');
      hub.wake();
      await arrive();
    }
  }

  test('sends entries that arrive during a pause together', async () => {
    const { sink } = await connectPausing();
    // The second notification arrives while the hub reads for the first one.
    log.append('a');
    hub.wake();
    hub.wake();
    await arrive();
    await appendTwice();
    pauses.pop()?.();
    await arrive();
    expect(dispatched).toEqual([1, 2]);
    expect(sink.ids).toEqual(idsFrom(0));
  });

  test('does not pause after a single entry', async () => {
    await connectPausing();
    await appendTwice();
    expect([dispatched, pauses]).toEqual([[1, 1], []]);
  });
});

describe('a page that is sent in turns', () => {
  let goOn: (() => void)[];

  /** Connects two live readers; the first has received the page that is being sent. */
  async function betweenTurns() {
    goOn = [];
    const turns = () => () => new Promise<void>((resolve) => goOn.push(resolve));
    hub = new Hub({ log, pollMs: 1000, onError: (error) => errors.push(error), turns });
    const readers = [await connectLive(), await connectLive()] as const;
    log.append('a');
    hub.wake();
    await arrive();
    expect(readers.map(({ sink }) => sink.ids.length)).toEqual([1, 0]);
    return readers;
  }

  async function finish() {
    while (goOn.length > 0) {
      goOn.shift()?.();
      await arrive();
    }
  }

  test('is sent once to a reader that joins between two turns at any position', async () => {
    const before = await betweenTurns();
    const joined = [connect(''), connect(log.entries.at(-1)?.id ?? '')] as const;
    await arrive();
    await finish();
    log.append('a');
    hub.wake();
    await arrive();
    await finish();
    expect([...before, joined[0]].map(({ sink }) => sink.ids)).toEqual([idsFrom(0), idsFrom(0), idsFrom(0)]);
    expect(joined[1].sink.ids).toEqual(idsFrom(1));
  });

  test('is sent once to a reader that restarts the hub after all others have left', async () => {
    const before = await betweenTurns();
    for (const { cursor } of before) cursor.close();
    const late = { position: '', removals: 0n, sink: new MemorySink(), filter: undefined, run: async () => undefined };
    expect(hub.join(late, true)).toBe(true);
    await finish();
    await arrive();
    await finish();
    expect(late.sink.ids).toEqual(idsFrom(0));
  });
});

describe('the poll', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('finds entries without a notification', async () => {
    hub.start();
    const { sink } = await connectLive();
    log.append('a');
    vi.advanceTimersByTime(1000);
    await arrive();
    expect(sink.ids).toEqual(idsFrom(0));
    hub.stop();
  });

  test('runs once per period, however often the hub is started, until the hub is stopped', async () => {
    hub.stop();
    hub.start();
    hub.start();
    await connectLive();
    const before = log.readsAsked;
    vi.advanceTimersByTime(1000);
    await arrive();
    expect(log.readsAsked).toBe(before + 1);
    hub.stop();
    hub.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(5000);
    await arrive();
    expect(log.readsAsked).toBe(before + 1);
  });
});
