import { expect, test } from 'vitest';
import { AuthFailed, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import { changeOf } from './support/change.ts';
import { CursorStore, ids, intervalMs, loopOf } from './support/loop.ts';

test('a cycle posts what it found before it stores the cursor, and the next begins an interval later', async () => {
  const { source, store, published, cycle } = loopOf();
  source.polls.push([
    { changes: [changeOf({ id: 'a' })], memory: 1 },
    { changes: [changeOf({ id: 'b' })], memory: 2 },
  ]);
  await cycle();
  expect([published, store.memory, source.asked]).toEqual([['a', 'b'], 2, ['poll "first"']]);
  await cycle();
  expect(source.asked).toEqual(['poll "first"', 'poll 2']);
});

test('the cursor is stored at the first step, at most every 10 seconds, and at the end of a cycle', async () => {
  const { source, store, cycle } = loopOf();
  source.polls.push([1, 2, 3].map((memory) => ({ changes: [], memory })));
  await cycle();
  expect([store.puts, store.memory]).toEqual([2, 3]);
});

test('a step whose posts fail leaves the memory unchanged', async () => {
  const { source, store, cycle, state } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }, new ToolAway('the tool is away')]);
  await cycle();
  expect([store.memory, state.lastOutcome, state.lastError, state.reachable]).toEqual([
    1,
    'error',
    'the tool is away',
    false,
  ]);
});

test('pages of a backfill are read between two cycles, and the memory counts after each page', async () => {
  const { source, store, published, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  source.pages.push(
    { changes: [changeOf({ id: 'old' })], memory: 2 },
    { changes: [changeOf({ id: 'older' })], memory: 3 },
  );
  await cycle();
  expect([source.asked, published, store.memory]).toEqual([['poll "first"', 'page', 'page'], ['old', 'older'], 3]);
});

test('progress is reported once per cycle and once per page of a backfill, but not for hints', async () => {
  const { loop, source, clock, progress, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  source.pages.push({ changes: [], memory: 2 }, { changes: [], memory: 3 });
  await cycle();
  expect(progress.count).toBe(3);
  await cycle();
  expect(progress.count).toBe(4);
  loop.hint(['acme/shop']);
  await clock.asleep(1000);
  clock.advance(1000);
  await clock.asleep(intervalMs - 1000);
  expect([source.asked.at(-1), progress.count]).toEqual(['hints acme/shop', 4]);
  source.polls.push([new ToolAway('away')]);
  clock.advance(intervalMs - 1000);
  await clock.asleep(intervalMs);
  expect(progress.count).toBe(5);
});

test('hints within the same second cause a single poll', async () => {
  const { loop, source, clock, cycle } = loopOf();
  await cycle();
  loop.hint(['acme/shop']);
  await clock.asleep(1000);
  loop.hint(['acme/web']);
  clock.advance(1000);
  await clock.asleep(intervalMs - 1000);
  expect(source.asked).toEqual(['poll "first"', 'hints acme/shop acme/web']);
});

test('a rejected token is reported once and retried in each cycle; its recovery is reported', async () => {
  const { source, state, told, cycle } = loopOf();
  source.polls.push([new AuthFailed('no')], [new AuthFailed('no')], []);
  await cycle();
  await cycle();
  expect([state.lastOutcome, state.reachable, told]).toEqual(['auth_failed', true, ['bad: no']]);
  await cycle();
  expect([state.lastOutcome, told]).toEqual(['ok', ['bad: no', 'well']]);
});

test('a paused source sleeps until the time that the tool names, with or without hints', async () => {
  const { loop, source, clock, state, told } = loopOf();
  source.polls.push([new SourcePaused('used up', clock.now().getTime() + 100_000)]);
  loop.start();
  await clock.asleep(100_000);
  loop.hint(['acme/shop']);
  expect([clock.sleeping, state.lastOutcome, told]).toEqual([[100_000], 'rate_limited', []]);
  clock.advance(100_000);
  await clock.asleep(intervalMs);
  expect(source.asked).toEqual(['poll "first"', 'hints acme/shop', 'poll "first"']);
});

test('after three failed cycles the waits between cycles double, up to ten minutes', async () => {
  const { loop, source, clock } = loopOf();
  const failures = 9;
  for (let cycle = 0; cycle < failures; cycle += 1) source.polls.push([new ToolAway('away')]);
  loop.start();
  const expected = [30, 30, 60, 120, 240, 480, 600, 600].map((seconds) => seconds * 1000);
  for (const ms of expected) await clock.pass(ms);
  await clock.asleep(600_000);
  expect(source.asked).toHaveLength(failures);
});

test('no tool is polled while the service is unreachable', async () => {
  const store = new CursorStore();
  store.isAway = true;
  const { source, state, cycle } = loopOf(store);
  await cycle();
  expect([source.asked, state.lastOutcome]).toEqual([[], 'error']);
  store.isAway = false;
  await cycle();
  expect([source.asked, state.lastOutcome]).toEqual([['poll "first"'], 'ok']);
});

test("a halted source doesn't post or store anything, and continues with its memory when started again", async () => {
  const { loop, source, clock, store, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  await cycle();
  await loop.halt({ store: false });
  const { puts } = store;
  clock.advance(10 * intervalMs);
  expect([source.asked.length, store.puts]).toEqual([1, puts]);
  loop.start();
  await clock.asleep(intervalMs);
  expect(source.asked).toEqual(['poll "first"', 'poll 1']);
});

test('stopping a source stores its cursor', async () => {
  const { loop, source, store, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  await cycle();
  store.state = undefined;
  await loop.halt({ store: true });
  expect(store.memory).toBe(1);
});

test('a process continues with the memory of the previous one', async () => {
  const store = new CursorStore();
  store.writeAs(ids.older, 'before');
  const { source, told, cycle } = loopOf(store);
  await cycle();
  expect([source.asked, told]).toEqual([['poll "before"'], []]);
});

test('a broken cursor counts as absent', async () => {
  const store = new CursorStore();
  store.write('{"v":9');
  const { source, cycle } = loopOf(store);
  await cycle();
  expect(source.asked).toEqual(['poll "first"']);
});

test('a newer process on the same source makes this one pause until the newer one has been silent for 5 minutes', async () => {
  const { source, store, state, told, clock, cycle } = loopOf();
  await cycle();
  store.writeAs(ids.younger, 'theirs');
  await cycle();
  expect([source.asked.length, state.lastOutcome, store.memory]).toEqual([1, 'error', 'theirs']);
  expect(told).toEqual([expect.stringMatching(/^bad: Another fetcher/)]);
  for (let ms = intervalMs; ms < 5 * 60_000; ms += intervalMs) await cycle();
  expect(source.asked).toHaveLength(1);
  await cycle();
  expect([source.asked.at(-1), told.slice(1)]).toEqual(['poll "theirs"', ['forget', 'well']]);
  expect(clock.sleeping).toEqual([intervalMs]);
});

test('an older process on the same source makes this one forget the log and continue', async () => {
  const { source, store, told, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  await cycle();
  store.writeAs(ids.older, 'theirs');
  await cycle();
  expect([source.asked.at(-1), told, store.memory]).toEqual(['poll 1', ['forget'], 1]);
});

test('a missing cursor means that the log was cleared: the source starts over', async () => {
  const { source, store, told, cycle } = loopOf();
  source.polls.push([{ changes: [], memory: 1 }]);
  await cycle();
  store.state = undefined;
  await cycle();
  expect([source.asked.at(-1), told]).toEqual(['poll "first"', ['cleared']]);
});
