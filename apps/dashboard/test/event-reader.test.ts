import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { newestFirst } from '../src/board/board.ts';
import type { LogQuery } from '../src/log/log-query.ts';
import { type Ask, LogReader } from '../src/log/log-reader.ts';

const event = (number: number): DeploymentEvent => ({
  id: String(number).padStart(8, '0'),
  deployment_id: 'd',
  service: 's',
  environment: 'e',
  status: 'success',
  happened_at: new Date(number * 1000).toISOString(),
});
const eventsUpTo = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));

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

const everything: LogQuery = { listing: {}, wants: () => true, key: '' };
const shown = (reader: LogReader) => reader.state.value.loaded.events.map(({ id }) => Number(id));

test('events load page by page back to the beginning of the log', async () => {
  const { ask, asked } = listing(eventsUpTo(250));
  const reader = new LogReader(ask, everything);
  for (let pages = 0; pages < 5; pages += 1) await reader.older();
  expect(asked).toHaveLength(3);
  expect(shown(reader)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
  expect(reader.state.value).toMatchObject({ phase: 'resting', loaded: { isWhole: true } });
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
  ['a gap of more than a page makes the list start over', 500, 100],
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

test('the list of a page that stays open is cut to a limit and continues where it was cut', async () => {
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

test("a closed list doesn't change", async () => {
  const { ask } = listing(eventsUpTo(3));
  const reader = new LogReader(ask, everything);
  const reading = reader.older();
  reader.close();
  await reading;
  expect(shown(reader)).toEqual([]);
});

test('a removed event disappears, and no page restores it', async () => {
  const { ask } = listing(eventsUpTo(150));
  const reader = new LogReader(ask, everything);
  await reader.older();
  for (const removed of [149, 20]) reader.remove(event(removed).id);
  expect(shown(reader)).not.toContain(149);
  await reader.older();
  expect(shown(reader)).toEqual(Array.from({ length: 150 }, (_, n) => 150 - n).filter((n) => n !== 149 && n !== 20));
});
