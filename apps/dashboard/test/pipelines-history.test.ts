import type { DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import { expect, test } from 'vitest';
import {
  type History,
  historyOf,
  lacks,
  parentsMax,
  parentsToAsk,
  reasonFor,
  renewed,
  withAsked,
  withPage,
} from '../src/pipelines/history.ts';
import { HistoryReader } from '../src/pipelines/history-reader.ts';

function row(number: number, fields: Partial<DeploymentEvent> = {}): DeploymentEvent {
  const at = String(number).padStart(2, '0');
  return {
    id: `id-${at}`,
    deployment_id: `d${number}`,
    service: 'api',
    environment: 'dev',
    status: 'success',
    happened_at: `2026-05-04T09:${at}:00Z`,
    ...fields,
  };
}

function page(items: DeploymentEvent[], next_cursor: string | null = null): DeploymentEventPage {
  return { items, next_cursor };
}

const ids = ({ events }: Pick<History, 'events'>) => [...events.keys()].sort().join(' ');

test('an older page extends the history and replaces the cursor', () => {
  const both = withPage(historyOf('api', page([row(3), row(2)], 'more')), page([row(1)]));
  expect([ids(both), both.cursor, both.oldest?.id]).toEqual(['id-01 id-02 id-03', null, 'id-01']);
});

test.each([
  ['new events are added', page([row(3), row(2), row(1)]), 'id-01 id-02 id-03'],
  ['events older than the page are kept', page([row(3), row(2)], 'more'), 'id-01 id-02 id-03'],
  ['a page that does not reach the known events replaces them', page([row(4), row(3)], 'more'), 'id-03 id-04'],
  ['a page without a known event replaces the log', page([row(3)]), 'id-03'],
  ['an empty page empties the history', page([]), ''],
])('on reloading the first page, %s', (_, again, expected) => {
  expect(ids(renewed(historyOf('api', page([row(2), row(1)])), again))).toBe(expected);
});

test.each([
  ['the newest loaded event', { current: row(2) }, null, false],
  ['a newer event', { current: row(3) }, null, true],
  ['an older event that is on no loaded page', { current: row(0) }, null, true],
  ['an event of a page that was not loaded', { current: row(0) }, 'more', false],
])('the history is compared with a slot of the board that shows %s', (_, slot, cursor, expected) => {
  expect(lacks(historyOf('api', page([row(2), row(1)], cursor)), { service: 'api', slots: { dev: slot } })).toBe(
    expected,
  );
});

test("if the board doesn't have the service, the log was cleared", () => {
  expect(lacks(historyOf('api', page([row(1)])), undefined)).toBe(true);
  expect(lacks(historyOf('api', page([])), undefined)).toBe(false);
});

test('absent parents are requested once each, newest first, a few at a time', () => {
  const history = historyOf(
    'api',
    page([row(3, { parent_deployments: ['p3', 'd2'] }), row(2, { parent_deployments: ['p1', 'p2'] })]),
  );
  expect(parentsToAsk(history)).toEqual(['p3', 'p1', 'p2']);
  expect(parentsToAsk(withAsked(history, ['p3', 'a', 'b'], 'looking'))).toEqual(['p1']);
  expect(parentsToAsk(withAsked(history, ['p1'], 'missing'))).toEqual(['p3', 'p2']);
});

test('parents beyond the limit are left out with a reason', () => {
  const asked = Array.from({ length: parentsMax }, (_, index) => `a${index}`);
  const history = withAsked(historyOf('api', page([row(1, { parent_deployments: ['p'] })])), asked, 'missing');
  expect([parentsToAsk(history), reasonFor(history, 'p'), reasonFor(history, 'a0')]).toEqual([
    [],
    'left-out',
    'missing',
  ]);
});

type Query = { readonly [Name in 'service' | 'deployment_id' | 'cursor']?: string | undefined };

/** A reader with scripted answers; `settled` waits for all requests. */
function reading(answer: (query: Query) => DeploymentEventPage) {
  const calls: Query[] = [];
  const client = {
    listDeployments: async ({ query = {} }: { query?: Query } = {}) => {
      calls.push(query);
      await Promise.resolve();
      return { status: 200, headers: new Headers(), body: answer(query) };
    },
  };
  const reader = new HistoryReader(client, 'api');
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { reader, calls, settled };
}

test('parents are followed over several levels, through cycles and up to absent parents', async () => {
  const parents: Readonly<Record<string, string>> = { d1: 'p1', p1: 'p2', p2: 'p1' };
  const { reader, calls, settled } = reading(({ deployment_id }) => {
    if (deployment_id === 'gone') return page([]);
    if (deployment_id)
      return page([
        row(Number(deployment_id.slice(1)) + 20, {
          deployment_id,
          service: 'web',
          parent_deployments: [parents[deployment_id] ?? ''],
        }),
      ]);
    return page([row(1, { parent_deployments: ['p1', 'gone'] })]);
  });
  await reader.start();
  await settled();
  expect(calls.map(({ deployment_id }) => deployment_id)).toEqual([undefined, 'p1', 'gone', 'p2']);
  const { history } = reader.reading.value;
  expect(history && [ids(history), reasonFor(history, 'gone')]).toEqual(['id-01 id-21 id-22', 'missing']);
});

test('live events that arrive during a request are kept if they belong to the history', async () => {
  const { reader } = reading(() => page([row(1)]));
  const started = reader.start();
  reader.take([row(2), row(3, { service: 'web' })]);
  await started;
  reader.take([row(4), row(5, { service: 'web' })]);
  const { history } = reader.reading.value;
  expect(history && ids(history)).toBe('id-01 id-02 id-04');
});

test('a failed request is reported, and the loaded history is kept', async () => {
  let isDown = false;
  const { reader } = reading(() => {
    if (isDown) throw new TypeError('fetch failed');
    return page([row(1)], 'more');
  });
  await reader.start();
  isDown = true;
  await reader.older();
  const { history, fault, isAsking } = reader.reading.value;
  expect([history && ids(history), isAsking]).toEqual(['id-01', false]);
  expect(fault).toMatch(/Can't reach the service/);
});
