import type { DeploymentEvent, MatrixRow, Status } from '@shiplog/contract';
import { promotionLadder } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { noneAhead, slotKey } from '../src/board/ahead.ts';
import { boardOf, withRows } from '../src/board/board.ts';
import { boxIn, isFailing, isRunning } from '../src/board/box.ts';
import { mostUrgent, type Shown, shownOf } from '../src/board/shown.ts';
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
const shown = (address: Partial<Address> = {}, ahead = noneAhead) =>
  shownOf(board, promotionLadder, { ...home, ...address }, ahead);
const names = ({ rows }: Shown) => rows.map(({ service }) => service);
const only = (kind: 'failed' | 'running', more = {}) => ({ filter: { ...home.filter, only: kind, ...more } });

test('without filters the whole board is counted', () => {
  const { counts, all, columns } = shown();
  expect(columns).toEqual(['dev', 'staging', 'qa', 'prod', 'sandbox']);
  expect(counts).toEqual({ services: 4, environments: 5, failed: 3, running: 2 });
  expect(all).toEqual(counts);
});

test.each<[string, Partial<Address>, Partial<Shown['counts']>]>([
  ['a service', { filter: { ...home.filter, services: ['o*'] } }, { services: 1, failed: 1, running: 1 }],
  ['an environment', { filter: { ...home.filter, environments: ['dev'] } }, { environments: 1, failed: 1, running: 1 }],
  ['a text', { filter: { ...home.filter, text: '6' } }, { services: 1, failed: 1, running: 0 }],
  ['a hidden column', { columns: { order: [], hidden: ['prod'] } }, { environments: 4, failed: 2, running: 1 }],
  ['failures', only('failed'), { services: 3, failed: 3, running: 2 }],
  ['failures in one environment', only('failed', { environments: ['qa'] }), { services: 0, failed: 0 }],
])('narrowed to %s, what is let through is counted', (_, address, due) => {
  const answer = shown(address);
  expect(answer.counts).toMatchObject(due);
  expect(answer.all).toEqual({ services: 4, environments: 5, failed: 3, running: 2 });
});

test.each([
  ['failed', ['catalog', 'edge', 'orders'], isFailing],
  ['running', ['catalog', 'orders'], isRunning],
] as const)('"%s" shows as many as it is counted with', (kind, services, isKind) => {
  const answer = shown(only(kind));
  expect(names(answer)).toEqual(services);
  const boxes = answer.rows.flatMap((row) => answer.columns.map((name) => boxIn(row, name, noneAhead)));
  expect(boxes.filter((box) => box && isKind(box))).toHaveLength(answer.counts[kind]);
  expect(shown().counts[kind]).toBe(answer.counts[kind]);
});

test('a failure that a date ahead hides is counted and found', () => {
  const ahead = new Map([[slotKey('catalog', 'dev'), { hidden: event('failure', later) }]]);
  expect(shown({}, ahead).counts.failed).toBe(4);
  expect(shown(only('failed'), ahead).found.failed.map(({ service, environment }) => [service, environment])).toEqual([
    ['catalog', 'dev'],
    ['catalog', 'prod'],
    ['edge', 'dev'],
    ['orders', 'staging'],
  ]);
});

test('found slots are sorted nearest to production first, then newest first, and those on no ladder last', () => {
  const found = (environment: string, minute: number) => {
    const row = {
      service: 'one',
      slots: { [environment]: { current: event('failure', { happened_at: `2026-05-04T10:0${minute}:00Z` }) } },
    };
    const box = boxIn(row, environment, noneAhead);
    return box ? [{ service: `${environment} ${minute}`, environment, box }] : [];
  };
  const all = [found('eu', 9), found('dev', 5), found('PROD', 1), found('dev', 7), found('qa', 2)].flat();
  const due = ['PROD 1', 'qa 2', 'dev 7', 'dev 5', 'eu 9'];
  for (const count of [5, 3, 1, 9]) {
    const first = mostUrgent(all, promotionLadder, count).map(({ service }) => service);
    expect(first).toEqual(due.slice(0, count));
    expect(mostUrgent(all.toReversed(), promotionLadder, count).map(({ service }) => service)).toEqual(first);
  }
});

test('the same arguments give the same result, and a change computes only the row that changed', () => {
  const address = { ...home };
  const before = shownOf(board, promotionLadder, address, noneAhead);
  expect(shownOf(board, promotionLadder, address, noneAhead)).toBe(before);
  const fixed = { service: 'edge', slots: { dev: { current: event('success', later) } } };
  const after = shownOf(withRows(board, [fixed]), promotionLadder, address, noneAhead);
  expect(after.counts.failed).toBe(2);
  expect(after.columns).toBe(before.columns);
  expect(after.found.failed[0]).toBe(before.found.failed[0]);
});
