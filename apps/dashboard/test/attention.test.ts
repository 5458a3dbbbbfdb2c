import type { DeploymentEvent, MatrixRow, MatrixSlot, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Attention, attentionOf, lagIn } from '../src/board/attention.ts';
import { problemText } from '../src/board/attention-words.ts';
import { boardAfter, boardOf, slotKey } from '../src/board/board.ts';
import { boxIn, boxOf } from '../src/board/box.ts';
import type { BoardContext } from '../src/board/context.ts';
import { type Facts, noFacts } from '../src/board/facts.ts';
import type { FutureRows } from '../src/board/future-rows.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';
import { contextWith } from './support/stages.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const columns = ['dev', 'staging', 'qa', 'Prod', 'eu'];
const context: BoardContext = contextWith('Prod');

/** An event that happened this many minutes ago. */
const event = (status: Status, minutes: number, more: Partial<DeploymentEvent> = {}) =>
  anEvent({ status, happened_at: new Date(nowMs - minutes * 60_000).toISOString(), ...more });

const row = (service: string, slots: Record<string, MatrixSlot>, upcoming?: Record<string, DeploymentEvent>) => ({
  service,
  slots,
  ...(upcoming ? { upcoming } : {}),
});

interface Known {
  readonly facts?: Facts;
  readonly ahead?: FutureRows;
  readonly at?: number;
}

function attention(rows: readonly MatrixRow[], { facts = noFacts, ahead = new Map(), at = nowMs }: Known = {}) {
  return attentionOf(rows, columns, { ...context, futureRows: ahead, facts }, at);
}

const told = ({ kind, service, environment }: Attention) => [kind, service, environment].filter(Boolean).join(' ');
const place = slotKey('a', 'qa');
const since = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
const usual = { p50: 4, p95: 9, count: 7 };
const stuckFor = (minutes: number, status: Status = 'in-progress') =>
  someFacts([{ stuck: { since: since(minutes), status, deployment_id: 'old' }, usual }], '5');
const stuck = stuckFor(300);
const slow = someFacts([{ slow: { since: since(41), usual_minutes: 4 }, usual }], '5');
const old = { deployment_id: 'old', id: '5' };

test.each<[string, MatrixSlot | DeploymentEvent, Known, string[]]>([
  ['a success', { current: event('success', 1) }, {}, []],
  ['a failure', { current: event('failure', 1) }, {}, ['failed']],
  ['a run after a failure', { current: event('in-progress', 1), prev_failed: true }, {}, []],
  [
    'a cancelled run after a failure',
    { current: event('in-progress', 9), prev_failed: true, next: event('cancelled', 1) },
    {},
    [],
  ],
  [
    'a failure hidden by an event dated in the future',
    { current: event('success', -30) },
    hiding('failure'),
    ['failed'],
  ],
  ['a stuck run', { current: event('in-progress', 300, old) }, { facts: stuck }, ['stuck']],
  ['a run that began after the facts', { current: event('in-progress', 1, { id: '6' }) }, { facts: stuck }, []],
  ['a success after the facts', { current: event('success', 1, { id: '6' }) }, { facts: stuck }, []],
  [
    'a stuck queued deployment',
    { current: event('success', 900, { id: '1' }), next: event('queued', 300, old) },
    { facts: stuck },
    ['stuck'],
  ],
  [
    'a stuck queued deployment that was cancelled after the facts',
    { current: event('success', 900, { id: '1' }), next: event('cancelled', 1, { ...old, id: '6' }) },
    { facts: stuck },
    [],
  ],
  [
    'a stuck queued deployment below a newer one',
    { current: event('success', 900, { id: '1' }), next: event('queued', 1, { id: '6', deployment_id: 'new' }) },
    { facts: stuck },
    ['stuck'],
  ],
  ['a stuck queued first deployment', event('queued', 300, old), { facts: stuck }, ['stuck']],
  ['a slow run', { current: event('in-progress', 41, { id: '5' }) }, { facts: slow }, ['slow']],
  ['a slow run that succeeded', { current: event('success', 1, { id: '6' }) }, { facts: slow }, []],
  ['a run that replaced a slow one', { current: event('in-progress', 1, { id: '6' }) }, { facts: slow }, []],
  ['a long run without facts', { current: event('in-progress', 900) }, {}, []],
  ['a first deployment that waits for approval', event('waiting', 1), {}, ['waits']],
  ['a first deployment queued for 59 minutes', event('queued', 59), {}, []],
  ['a first deployment pending for an hour', event('pending', 60), {}, ['waits']],
  ['a rejected first deployment', event('rejected', 600), {}, []],
  ['a cancelled first deployment', event('cancelled', 600), {}, []],
  ['an approval that has waited for 59 minutes', { current: event('success', 90), next: event('waiting', 59) }, {}, []],
  [
    'an approval that has waited for an hour',
    { current: event('success', 90), next: event('waiting', 60) },
    {},
    ['waits'],
  ],
  [
    'an approval that is also stuck',
    { current: event('success', 900, { id: '1' }), next: event('waiting', 300, old) },
    { facts: stuckFor(300, 'waiting') },
    ['waits'],
  ],
  ['a queued deployment after a success', { current: event('success', 90), next: event('queued', 80) }, {}, []],
  ['a cancelled deployment after a success', { current: event('success', 90), next: event('cancelled', 80) }, {}, []],
  ['an event dated 4 minutes in the future', { current: event('success', -4) }, hiding(), []],
  ['an event dated 6 minutes in the future', { current: event('success', -6) }, hiding(), ['ahead']],
  [
    'an event dated 4 minutes in the future that hides another',
    { current: event('success', -4) },
    hiding('queued'),
    ['ahead'],
  ],
  ['that event 2 minutes later', { current: event('success', -6) }, { ...hiding(), at: nowMs + 120_000 }, []],
])('lists the expected items for %s', (_, slotState, known, due) => {
  const rows = [
    'current' in slotState ? row('a', { qa: slotState }) : row('a', {}, { qa: slotState }),
    row('b', { qa: { current: event('success', 1) } }),
  ];
  expect(attention(rows, known).map(({ kind }) => kind)).toEqual(due);
});

function hiding(status?: Status): Known {
  return { ahead: new Map([[place, { hidden: status && event(status, 1, { id: '9' }) }]]) };
}

test('items are sorted by kind, failures in production first, then nearest to production, then newest', () => {
  const failed = (minutes: number) => ({ current: event('failure', minutes) });
  const rows = [
    row('w', {}, { Prod: event('waiting', 100) }),
    row('one', { dev: failed(1), staging: failed(5), eu: failed(1), Prod: { current: event('in-progress', 100) } }),
    row('two', { Prod: failed(100), staging: failed(2), qa: { current: event('in-progress', 500, { id: '5' }) } }),
    row('three', { Prod: failed(90), dev: { current: event('success', -30) } }),
  ];
  const facts = someFacts(
    [
      { service: 'two', stuck: { since: since(500), status: 'in-progress', deployment_id: 'old' } },
      { service: 'one', environment: 'Prod', slow: { since: since(100), usual_minutes: 2 } },
    ],
    '9',
    [{ reporter: 'jenkins', last_at: since(900), usual_interval_minutes: 40 }],
  );
  const ahead = new Map([[slotKey('three', 'dev'), { hidden: undefined }]]);
  expect(attention(rows, { facts, ahead }).map(told)).toEqual([
    'failed three Prod',
    'failed two Prod',
    'failed two staging',
    'failed one staging',
    'failed one dev',
    'failed one eu',
    'stuck two qa',
    'slow one Prod',
    'waits w Prod',
    'ahead three dev',
    'silent jenkins',
  ]);
  expect(attention(rows).filter(({ isProduction }) => isProduction)).toHaveLength(3);
});

test('a failure is listed until the next attempt begins, and the new attempt shows a warning', () => {
  const failed = boardOf({ environments: ['qa'], rows: [row('a', { qa: { current: event('failure', 60) } })] });
  const [known] = attention([...failed.rows.values()]);
  expect(known).toMatchObject({ kind: 'failed', service: 'a', environment: 'qa', sinceMs: nowMs - 3_600_000 });
  const next = (status: Status) => event(status, 1, { id: '9', service: 'a', environment: 'qa', deployment_id: 'two' });
  const running = boardAfter(failed, [next('in-progress')]).board;
  expect(attention([...running.rows.values()])).toEqual([]);
  expect([...running.rows.values()].map((after) => boxIn(after, 'qa', new Map())?.warned)).toEqual([true]);
  const waiting = boardAfter(failed, [next('queued')]).board;
  expect(attention([...waiting.rows.values()]).map(told)).toEqual(['failed a qa']);
  expect(attention([...boardAfter(failed, [next('success')]).board.rows.values()])).toEqual([]);
});

test('unchanged items are the same objects, even if another caller requests other columns', () => {
  const [one, two] = ['one', 'two'].map((service) => row(service, { qa: { current: event('failure', 5) } }));
  const rows = [one, two].flatMap((each) => each ?? []);
  const before = attentionOf(rows, columns, context, nowMs);
  expect(attentionOf(rows, ['dev'], context, nowMs)).toEqual([]);
  const changed = [rows[0], row('two', { qa: { current: event('failure', 1) } })].flatMap((each) => each ?? []);
  const after = attentionOf(changed, columns, context, nowMs);
  expect(after[1]).toBe(before.find(({ service }) => service === 'one'));
  expect(after[0]).not.toBe(before.find(({ service }) => service === 'two'));
});

test.each<[string, MatrixSlot | DeploymentEvent, Facts, string | undefined]>([
  ['a slow run', { current: event('in-progress', 41, { id: '5' }) }, slow, 'slow 41 min, usually 4 min'],
  ['a stuck run', { current: event('in-progress', 300, old) }, stuck, 'stuck 5 h, usually 4 min'],
  [
    'a stuck queued deployment',
    { current: event('success', 900, { id: '1' }), next: event('queued', 300, old) },
    someFacts([{ stuck: { since: since(300), status: 'queued', deployment_id: 'old' } }]),
    'stuck 5 h',
  ],
  ['a failure', { current: event('failure', 900, { id: '1' }) }, stuck, undefined],
  ['a run without facts', { current: event('in-progress', 900) }, noFacts, undefined],
])('the cell shows whether a deployment is late: %s', (_, slotState, facts, due) => {
  const lag = lagIn({ service: 'a', environment: 'qa', box: boxOf(slotState) }, facts);
  expect(lag && problemText(lag, { nowMs, isOut: false })).toBe(due);
});

test('names of object members, markup and an empty reporter name are treated as names', () => {
  const names = ['__proto__', 'constructor', '<img src=x>', '"],["', '\u202eevil'];
  const slots = Object.fromEntries(names.map((name) => [name, { current: event('failure', 1) }]));
  const rows = names.map((service) => ({ service, slots }));
  const facts = someFacts([], '9', [{ reporter: null, last_at: since(900), usual_interval_minutes: null }]);
  const all = attentionOf(rows, names, { ...context, facts }, nowMs);
  expect(all).toHaveLength(names.length ** 2 + 1);
  expect(all.at(-1)).toMatchObject({ kind: 'silent', service: '', environment: undefined });
  expect(new Set(all.map(told)).size).toBe(all.length);
});
