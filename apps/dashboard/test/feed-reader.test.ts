import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { newestFirst } from '../src/board/board.ts';
import { noOwnership } from '../src/board/ownership.ts';
import { logQueryOf } from '../src/log/log-query.ts';
import { type Ask, LogReader } from '../src/log/log-reader.ts';
import { home } from '../src/state/address.ts';

const event = (number: number, actor = 'alice'): DeploymentEvent => ({
  id: String(number).padStart(8, '0'),
  deployment_id: 'd',
  service: 's',
  environment: 'e',
  status: 'success',
  happened_at: new Date(number * 1000).toISOString(),
  actor,
});
const eventsUpTo = (count: number, actor?: string) =>
  Array.from({ length: count }, (_, index) => event(index + 1, actor));

/** A listing of a log to which a test may add events; a cursor is the id of the last row. */
function listing(log: DeploymentEvent[]) {
  const asked: Parameters<Ask>[0][] = [];
  const ask: Ask = async (query) => {
    asked.push(query);
    const rows = [...log].sort(newestFirst).filter(({ id, happened_at }) => {
      const isBelow = query.cursor === undefined || id < query.cursor;
      return isBelow && (query.until === undefined || happened_at < query.until);
    });
    const items = rows.slice(0, query.limit);
    const position =
      log
        .map(({ id }) => id)
        .sort()
        .at(-1) ?? '';
    return { items, next_cursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null, position };
  };
  return { ask, asked };
}

const everything = logQueryOf(home, { services: [], environments: [] }, noOwnership);
const byBob = logQueryOf({ ...home, actor: 'bob' }, { services: [], environments: [] }, noOwnership);
const shown = (reader: LogReader) => reader.state.value.loaded.events.map(({ id }) => Number(id));

test('the feed loads page by page back to the beginning of the log', async () => {
  const { ask, asked } = listing(eventsUpTo(250));
  const reader = new LogReader(ask, everything);
  for (let pages = 0; pages < 5; pages += 1) await reader.older();
  expect(asked).toHaveLength(3);
  expect(shown(reader)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
  expect(reader.state.value).toMatchObject({ phase: 'resting', searched: 250, loaded: { isWhole: true } });
});

test('with a client-side filter, the feed reads until it has a screenful, twenty pages or the beginning of the log', async () => {
  const log = [...eventsUpTo(11_000), event(11_001, 'bob')];
  const { ask, asked } = listing(log);
  const reader = new LogReader(ask, byBob);
  await reader.older();
  expect(asked).toHaveLength(20);
  expect(reader.state.value).toMatchObject({ phase: 'paused', searched: 10_000 });
  await reader.older();
  expect(reader.state.value).toMatchObject({ phase: 'resting', searched: 11_001, loaded: { isWhole: true } });
  expect(shown(reader)).toEqual([11_001]);
});

test('a search through the log can be stopped, and resumes where it stopped', async () => {
  const { ask, asked } = listing(eventsUpTo(2000));
  const reader = new LogReader(ask, byBob);
  const looking = reader.older();
  reader.stop();
  await looking;
  expect(reader.state.value).toMatchObject({ phase: 'paused', searched: 0 });
  await reader.older();
  expect(asked.at(-1)?.cursor).toBe(event(501).id);
  expect(reader.state.value.loaded.isWhole).toBe(true);
});

test('a failed request is shown, and the next request resumes', async () => {
  const { ask } = listing(eventsUpTo(3));
  let isDown = true;
  const reader = new LogReader(
    (query, signal) => (isDown ? Promise.reject(new Error('away')) : ask(query, signal)),
    everything,
  );
  await reader.older();
  expect(reader.state.value).toMatchObject({ phase: 'failed', fault: { message: 'away' } });
  isDown = false;
  await reader.older();
  expect(shown(reader)).toEqual([3, 2, 1]);
});

test('new events are added immediately, highlighted once and listed once', async () => {
  const { ask } = listing(eventsUpTo(3));
  const reader = new LogReader(ask, everything);
  await reader.older();
  reader.take([event(4), event(2)]);
  expect(shown(reader)).toEqual([4, 3, 2, 1]);
  expect([event(4), event(4), event(2)].map(({ id }) => reader.isFresh(id))).toEqual([true, false, false]);
});

test("while the feed is on hold, new events wait, and known events aren't counted", async () => {
  const { ask } = listing(eventsUpTo(3));
  const reader = new LogReader(ask, everything);
  await reader.older();
  reader.hold(true);
  reader.take([event(4), event(3), event(5)]);
  reader.take([event(5)]);
  expect(shown(reader)).toEqual([3, 2, 1]);
  expect(reader.state.value.held).toHaveLength(2);
  reader.release();
  expect(shown(reader)).toEqual([5, 4, 3, 2, 1]);
  expect(reader.state.value.held).toEqual([]);
});

test('if more events arrive than a feed on hold can keep, it reloads from the newest event', async () => {
  const log = eventsUpTo(3);
  const { ask } = listing(log);
  const reader = new LogReader(ask, everything);
  await reader.older();
  reader.hold(true);
  const more = Array.from({ length: 600 }, (_, index) => event(index + 4));
  log.push(...more);
  reader.take(more);
  expect(reader.state.value).toMatchObject({ isBehind: true });
  expect(reader.state.value.held).toHaveLength(500);
  reader.hold(false);
  await expect.poll(() => shown(reader)[0]).toBe(603);
  expect(reader.state.value).toMatchObject({ isBehind: false, held: [] });
});

test('an event that arrives while its page loads is not lost', async () => {
  const log = eventsUpTo(150);
  const { ask } = listing(log.filter(({ id }) => id !== event(20).id));
  const reader = new LogReader(ask, everything);
  await reader.older();
  const paging = reader.older();
  reader.take([event(20)]);
  await paging;
  expect(shown(reader)).toEqual(Array.from({ length: 150 }, (_, index) => 150 - index));
});

test.each([
  ['missed events are added', 60, 210],
  ['a gap of more than a page makes the feed start over', 500, 100],
])('after an interruption %s', async (_, missed, count) => {
  const log = eventsUpTo(150);
  const reader = new LogReader(listing(log).ask, everything);
  await reader.older();
  await reader.older();
  log.push(...Array.from({ length: missed }, (_, index) => event(index + 151)));
  await reader.catchUp(event(150 + missed).id);
  await expect.poll(() => shown(reader).length).toBe(count);
  expect(shown(reader)[0]).toBe(150 + missed);
});

test.each([
  ['contains all events that may have been missed', [], event(3).id, 1],
  ['was read before the events that may have been missed', [event(4)], event(4).id, 2],
  ['was read while the missed events were unknown', [event(4)], '', 2],
])('a page that %s is requested again only if necessary', async (_, stored, upTo, calls) => {
  for (const isOnItsWay of [true, false]) {
    const log = eventsUpTo(3);
    const { ask, asked } = listing(log);
    const reader = new LogReader(ask, everything);
    const reading = reader.older();
    if (!isOnItsWay) await reading;
    log.push(...stored);
    await reader.catchUp(upTo);
    await reading;
    await expect.poll(() => shown(reader)).toEqual(log.map(({ id }) => Number(id)).reverse());
    expect(asked).toHaveLength(calls);
  }
});

test('the feed of a page that stays open is cut to a limit and continues where it was cut', async () => {
  const log = eventsUpTo(2500);
  const { ask, asked } = listing(log);
  const reader = new LogReader(ask, everything);
  await reader.older();
  const more = Array.from({ length: 1950 }, (_, index) => event(index + 2501));
  log.push(...more);
  reader.take(more);
  expect(shown(reader)).toHaveLength(1000);
  await reader.older();
  expect(asked.at(-1)?.until).toBe(new Date(3451 * 1000 + 1).toISOString());
  expect(shown(reader)).toEqual(Array.from({ length: shown(reader).length }, (_, index) => 4450 - index));
  await reader.older();
  expect(new Set(shown(reader)).size).toBe(shown(reader).length);
});

test("a closed feed doesn't change", async () => {
  const { ask } = listing(eventsUpTo(3));
  const reader = new LogReader(ask, everything);
  const reading = reader.older();
  reader.close();
  await reading;
  expect(shown(reader)).toEqual([]);
});

test('a removed event disappears from the shown and the waiting events, and no page restores it', async () => {
  const log = eventsUpTo(150);
  const { ask } = listing(log);
  const reader = new LogReader(ask, everything);
  await reader.older();
  reader.hold(true);
  reader.take([event(151), event(152)]);
  for (const removed of [152, 149, 20]) reader.remove(event(removed).id);
  expect(reader.state.value.held.map(({ id }) => Number(id))).toEqual([151]);
  expect(shown(reader)).not.toContain(149);
  await reader.older();
  reader.hold(false);
  expect(shown(reader)).toEqual(
    [151, ...Array.from({ length: 150 }, (_, n) => 150 - n)].filter((n) => n !== 149 && n !== 20),
  );
});
