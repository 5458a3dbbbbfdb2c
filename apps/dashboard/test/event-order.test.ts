import type { DeploymentEvent } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestFirst } from '../src/board/board.ts';
import {
  isInside,
  type LoadedRange,
  merged,
  nothingLoaded,
  touches,
  withArrivals,
  withPage,
} from '../src/log/loaded-range.ts';

const event = (id: string, happened_at: string): DeploymentEvent => ({
  id,
  happened_at,
  deployment_id: 'd',
  service: 's',
  environment: 'e',
  status: 'success',
});

test.each([
  ['the later time first', ['b', '2026-05-04T09:00:01Z'], ['a', '2026-05-04T09:00:00Z']],
  ['the greater id first if the times are equal', ['b', '2026-05-04T09:00:00Z'], ['a', '2026-05-04T09:00:00Z']],
  ['with microsecond precision', ['a', '2026-05-04T09:00:00.000002Z'], ['b', '2026-05-04T09:00:00.000001Z']],
  [
    'without digits beyond the microsecond',
    ['b', '2026-05-04T09:00:00.0000011Z'],
    ['a', '2026-05-04T09:00:00.0000019Z'],
  ],
  ['with a fraction later than none', ['a', '2026-05-04T09:00:00.1Z'], ['b', '2026-05-04T09:00:00Z']],
] as const)('events are ordered: %s', (_, [id, at], [otherId, otherAt]) => {
  expect(newestFirst(event(id, at), event(otherId, otherAt))).toBe(-1);
  expect(newestFirst(event(otherId, otherAt), event(id, at))).toBe(1);
});

const someEvents = fc
  .uniqueArray(fc.record({ id: fc.uuid(), second: fc.integer({ min: 0, max: 9 }) }), {
    selector: ({ id }) => id,
    maxLength: 30,
  })
  .map((list) => list.map(({ id, second }) => event(id, `2026-05-04T09:00:0${second}Z`)));

test('merged lists contain each event once and in order, whatever the order of arrival', () => {
  fc.assert(
    fc.property(someEvents, fc.array(fc.nat()), (events, cuts) => {
      const parts = cuts.map((cut) => events.slice(cut % (events.length + 1)));
      const result = [...parts, events].reduce<readonly DeploymentEvent[]>((list, part) => merged(list, part), []);
      expect(result).toEqual([...events].sort(newestFirst));
    }),
  );
});

test('merging nothing returns the same list object', () => {
  const list = [event('a', '2026-05-04T09:00:00Z')];
  expect(merged(list, [event('a', '2026-05-04T09:00:00Z')])).toBe(list);
});

test('pages and new events in any order add up to all events of the log, back to the oldest loaded one', () => {
  fc.assert(
    fc.property(someEvents, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.boolean()), (events, size, turns) => {
      const sorted = [...events].sort(newestFirst);
      const arriving = events.filter((_, index) => index % 3 === 0);
      // The page was read before the arriving events were stored.
      const listed = sorted.filter((each) => !arriving.includes(each));
      let [loaded, at]: [LoadedRange, number] = [nothingLoaded, 0];
      const isOver = () => at >= listed.length && loaded.isWhole;
      while (!isOver() || arriving.length > 0) {
        const [isArrival] = turns.take(1);
        if (arriving.length > 0 && (isArrival || isOver())) loaded = withArrivals(loaded, arriving.splice(0, 1));
        else {
          const isLast = at + size >= listed.length;
          loaded = withPage(loaded, { items: listed.slice(at, at + size), isLast }, () => true);
          at += size;
        }
        const { events: shown, edge } = loaded;
        expect(shown).toEqual([...shown].sort(newestFirst));
        if (edge && !loaded.isWhole) expect(shown.every((each) => newestFirst(each, edge) <= 0)).toBe(true);
      }
      expect(loaded.events).toEqual(sorted);
    }),
  );
});

const page = (isLast: boolean, ...items: DeploymentEvent[]) => ({ items, isLast });
const [one, two, three, four] = [4, 3, 2, 1].map((second) => event(`e${second}`, `2026-05-04T09:00:0${second}Z`)) as [
  DeploymentEvent,
  DeploymentEvent,
  DeploymentEvent,
  DeploymentEvent,
];

test("an event that doesn't match the filter isn't shown but moves the edge", () => {
  const loaded = withPage(nothingLoaded, page(false, one, two), ({ id }) => id === one.id);
  expect([loaded.events, loaded.edge]).toEqual([[one], two]);
  expect([isInside(loaded, two), isInside(loaded, three)]).toEqual([true, false]);
});

test.each([
  ['they overlap', page(false, one, two), [two, three], true],
  ['the page ends directly above the loaded events', page(false, one, two), [three], false],
  ['the page has the whole log', page(true, one), [three], true],
  ['nothing is loaded', page(false, one), [], false],
  ['the page is older than the loaded events', page(false, three, four), [two], true],
])('a gap below the newest page is detected: %s', (_, newest, events, isTouching) => {
  expect(touches({ ...nothingLoaded, events }, newest)).toBe(isTouching);
});
