import { beforeEach, expect, test } from 'vitest';
import { Cursor, Hub } from '../src/index.ts';
import { MemoryLog } from './support/memory-log.ts';
import { MemorySink } from './support/memory-sink.ts';
import { turn } from './support/turn.ts';

let log: MemoryLog;
let hub: Hub;

beforeEach(() => {
  log = new MemoryLog(500);
  hub = new Hub({ log, pollMs: 1000, onError: () => undefined });
});

/** Connects a reader at the beginning of the log. */
function connect(): MemorySink {
  const sink = new MemorySink();
  const { pages, removals } = log;
  void new Cursor({ removed: '', removals, pages, hub, sink, position: '', filter: undefined }).run();
  return sink;
}

/** Completes reads until none is requested. */
async function arrive(): Promise<void> {
  await turn();
  while (log.held.size > 0) {
    for (const read of log.held) read.arrive();
    await turn();
  }
}

const idsFrom = (first: number) => log.entries.slice(first).map((entry) => entry.id);

test('a reader that connects after a removal does not get the removed entry, even if others did', async () => {
  const sink = connect();
  await arrive();
  const removed = log.append('a');
  log.append('a');
  hub.wake();
  await arrive();
  expect(sink.ids).toEqual(idsFrom(0));
  log.remove(removed);
  const late = connect();
  await arrive();
  expect(late.ids).toEqual(idsFrom(1));
});

test('a reader that connects after a removal does not get a page that the hub read during the removal', async () => {
  connect();
  await arrive();
  const removed = log.append('a');
  hub.wake();
  const [read] = log.held;
  read?.see();
  log.remove(removed);
  const late = connect();
  await turn();
  for (const own of log.held) if (own !== read) own.arrive();
  await turn();
  read?.arrive();
  log.append('a');
  await arrive();
  expect(late.ids).toEqual(idsFrom(1));
});

test('a page that was read before a removal is read again', async () => {
  const removed = log.append('a');
  log.append('a');
  const { pages } = log;
  const early = pages.read('', undefined, () => true);
  for (const read of log.held) read.see();
  log.remove(removed);
  const sink = new MemorySink();
  let asked = 0;
  const shared = { read: (...page: Parameters<typeof pages.read>) => (asked++ === 0 ? early : pages.read(...page)) };
  const cursor = new Cursor({ removed: '', removals: 1n, pages: shared, hub, sink, position: '', filter: undefined });
  void cursor.run();
  await arrive();
  expect(sink.ids).toEqual(idsFrom(1));
});
