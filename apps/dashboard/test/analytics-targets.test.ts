import { expect, test } from 'vitest';
import {
  actorRows,
  dayRows,
  deploymentRows,
  slotHistory,
  stageRows,
  statusRows,
  windowRows,
} from '../src/analytics/targets.ts';
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
  '?view=analytics&service=pay*&environment=prod&q=x&only=failed&status=queued&actor=bob&deployment=d&grouped=1&history=a&in=b',
);
const period = 'since=2026-05-03T00%3A00%3A00Z&until=2026-05-10T00%3A00%3A00Z';
const day = 'since=2026-05-04T00%3A00%3A00.000Z&until=2026-05-05T00%3A00%3A00.000Z';

test.each([
  ['the window', windowRows(window), `?view=feed&${period}`],
  ['a day', dayRows(window, '2026-05-04'), `?view=feed&${day}`],
  ['the failures of a day', dayRows(window, '2026-05-04', 'failure'), `?view=feed&status=failure&${day}`],
  ['a status', statusRows(window, 'queued'), `?view=feed&status=queued&${period}`],
  ['a deployer', actorRows(window, 'alice'), `?view=feed&actor=alice&${period}`],
  ['a stage', stageRows(window, 'qa'), `?view=feed&environment=qa&${period}&grouped=1`],
  ['durations', deploymentRows(window), `?view=feed&${period}&grouped=1`],
])('the chart mark for %s links to its rows, whatever filters are set', (_, target, search) => {
  expect(searchOf({ ...narrowed, ...target })).toBe(search);
});

test('rows without an actor have no link', () => {
  expect(actorRows(window, 'unknown')).toBeUndefined();
});

test('an incident opens the history of its slot above the charts', () => {
  const search = searchOf({ ...home, view: 'analytics', ...slotHistory({ service: 'pay', environment: 'prod' }) });
  expect(search).toBe('?view=analytics&history=pay&in=prod');
});
