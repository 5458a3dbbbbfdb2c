import { expect, test } from 'vitest';
import { actorRows, dayRows, stageRows, windowRows } from '../src/analytics/links.tsx';
import { addressOf, home, searchOf } from '../src/state/address.ts';

const window = {
  days: 7,
  from: '2026-05-03T00:00:00Z',
  to: '2026-05-10T00:00:00Z',
  retention_days: 90,
  clamped: false,
};
/** The address of a user who has set every filter. */
const narrowed = addressOf(
  '?view=analytics&service=pay*&environment=prod&q=x&only=failed&status=queued&actor=bob&deployment=d&net=1&history=a&in=b',
);
const period = 'from=2026-05-03T00%3A00%3A00Z&to=2026-05-10T00%3A00%3A00Z';
const day = 'from=2026-05-04T00%3A00%3A00.000Z&to=2026-05-05T00%3A00%3A00.000Z';
const all = '?view=changes&environment=*';

test.each([
  ['the window', windowRows(window), `${all}&${period}`],
  ['a day', dayRows(window, '2026-05-04'), `${all}&${day}`],
  ['the failures of a day', dayRows(window, '2026-05-04', 'failure'), `${all}&status=failure&${day}`],
  ['a status', windowRows(window, { status: 'queued' }), `${all}&status=queued&${period}`],
  ['a deployer', actorRows(window, 'alice'), `${all}&actor=alice&${period}`],
  ['a stage', stageRows(window, 'qa'), `?view=changes&environment=qa&${period}`],
  ['a stage whose name looks like a glob', stageRows(window, 'qa*'), `?view=changes&environment=qa%5C*&${period}`],
])('the chart mark for %s links to its rows, whatever filters are set', (_, target, search) => {
  expect(searchOf({ ...narrowed, ...target })).toBe(search);
});

test('rows without an actor have no link', () => {
  expect(actorRows(window, 'unknown')).toBeUndefined();
});

test('an incident opens the history of its slot above the charts', () => {
  const search = searchOf({ ...home, view: 'analytics', slot: { service: 'pay', environment: 'prod' } });
  expect(search).toBe('?view=analytics&history=pay&in=prod');
});
