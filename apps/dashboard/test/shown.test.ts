import type { DeploymentEvent, MatrixRow, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { boardOf, slotKey, withRows } from '../src/board/board.ts';
import { boxIn, isFailing, isRunning } from '../src/board/box.ts';
import { noContext } from '../src/board/context.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import { type Shown, shownOf } from '../src/board/shown.ts';
import { boardCsv } from '../src/filters/board-csv.ts';
import { type Address, home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

const event = (status: Status, more: Partial<DeploymentEvent> = {}) => anEvent({ status, ...more });
const later = { id: '9', happened_at: '2026-05-04T10:00:00Z' };

const rows: MatrixRow[] = [
  {
    service: 'catalog',
    slots: { dev: { current: event('success') }, prod: { current: event('in-progress'), prev_failed: true } },
  },
  { service: 'edge', slots: { dev: { current: event('failure', { version: '6' }) } } },
  { service: 'ledger', slots: { qa: { current: event('in-progress'), next: event('cancelled', later) } } },
  {
    service: 'orders',
    slots: { dev: { current: event('in-progress') }, staging: { current: event('failure') } },
    upcoming: { sandbox: event('waiting') },
  },
];
const board = boardOf({ environments: ['dev', 'prod', 'qa', 'staging'], rows });
const shown = (address: Partial<Address> = {}, ahead = noFutureRows) =>
  shownOf(board, { ...home, ...address }, { ...noContext, futureRows: ahead });
const names = ({ rows }: Shown) => rows.map(({ service }) => service);
const only = (kind: 'failed' | 'running', more = {}) => ({ filter: { ...home.filter, only: kind, ...more } });

test('without filters the whole board is counted', () => {
  const { counts, all, columns } = shown();
  expect(columns).toEqual(['dev', 'staging', 'qa', 'sandbox', 'prod']);
  expect(counts).toEqual({ services: 4, environments: 5, failed: 2, running: 2, behind: undefined });
  expect(all).toEqual({ services: 4, environments: 5 });
});

test.each<[string, Partial<Address>, Partial<Shown['counts']>]>([
  ['a service', { filter: { ...home.filter, services: ['o*'] } }, { services: 1, failed: 1, running: 1 }],
  ['an environment', { filter: { ...home.filter, environments: ['dev'] } }, { environments: 1, failed: 1, running: 1 }],
  ['a text', { filter: { ...home.filter, text: '6' } }, { services: 1, failed: 1, running: 0 }],
  ['a hidden column', { columns: { order: [], hidden: ['prod'] } }, { environments: 4, failed: 2, running: 1 }],
  ['failures', only('failed'), { services: 2, failed: 2, running: 2 }],
  ['failures in one environment', only('failed', { environments: ['qa'] }), { services: 0, failed: 0 }],
])('counts the items that match a filter by %s', (_, address, due) => {
  const answer = shown(address);
  expect(answer.counts).toMatchObject(due);
  expect(answer.all).toEqual({ services: 4, environments: 5 });
});

test.each([
  ['failed', ['edge', 'orders'], isFailing],
  ['running', ['catalog', 'orders'], isRunning],
] as const)('the filter "%s" shows exactly the boxes that it counts', (kind, services, isKind) => {
  const answer = shown(only(kind));
  expect(names(answer)).toEqual(services);
  const boxes = answer.rows.flatMap((row) => answer.columns.map((name) => boxIn(row, name, noFutureRows)));
  expect(boxes.filter((box) => box && isKind(box))).toHaveLength(answer.counts[kind]);
  expect(shown().counts[kind]).toBe(answer.counts[kind]);
});

test('a failure hidden by an event dated in the future is counted and found', () => {
  const ahead = new Map([[slotKey('catalog', 'dev'), { hidden: event('failure', later) }]]);
  expect(shown({}, ahead).counts.failed).toBe(3);
  expect(shown(only('failed'), ahead).found.failed.map(({ service, environment }) => [service, environment])).toEqual([
    ['catalog', 'dev'],
    ['edge', 'dev'],
    ['orders', 'staging'],
  ]);
});

test('equal arguments return the same object, and a change recomputes only the changed row', () => {
  const address = { ...home };
  const before = shownOf(board, address, noContext);
  expect(shownOf(board, address, noContext)).toBe(before);
  const [row] = rows;
  expect(row && boxIn(row, 'dev', noFutureRows)).toBe(row && boxIn(row, 'dev', noFutureRows));
  const fixed = { service: 'edge', slots: { dev: { current: event('success', later) } } };
  const after = shownOf(withRows(board, [fixed]), address, noContext);
  expect(after.counts.failed).toBe(1);
  expect(after.columns).toBe(before.columns);
  expect(after.found.failed[0]).toBe(before.found.failed[1]);
});

test('the CSV file has the last success, also where it is dated in the future and hides a failure', () => {
  const futureRows = new Map([
    [slotKey('catalog', 'dev'), { hidden: event('failure', { ...later, version: '1.5.0', actor: 'ines' }) }],
  ]);
  const context = { ...noContext, futureRows };
  const lines = boardCsv(shown({}, futureRows), context).split('\r\n');
  expect(lines.slice(1, 4)).toEqual([
    'catalog,,dev,dev,1.5.0,failure,2026-05-04T10:00:00Z,ines,1.4.2',
    'catalog,,prod,prod,1.4.2,in-progress,2026-05-04T09:12:02Z,,',
    'edge,,dev,dev,6,failure,2026-05-04T09:12:02Z,,',
  ]);
});
