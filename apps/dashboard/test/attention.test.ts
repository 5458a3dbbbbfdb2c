import type { DeploymentEvent, MatrixRow, MatrixSlot, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Attention, attentionOf, lagIn } from '../src/board/attention.ts';
import { type AttentionFacts, noFacts } from '../src/board/attention-facts.ts';
import { problemText } from '../src/board/attention-words.ts';
import { boardAfter, boardOf, slotKey } from '../src/board/board.ts';
import { boxIn, boxOf } from '../src/board/box.ts';
import { productionOf } from '../src/board/columns.ts';
import { type BoardContext, noContext } from '../src/board/context.ts';
import type { FutureRows } from '../src/board/future-rows.ts';
import { anEvent } from './support/an-event.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const columns = ['dev', 'staging', 'qa', 'Prod', 'eu'];
const context: BoardContext = { ...noContext, production: 'Prod' };

/** An event that happened this many minutes ago. */
const event = (status: Status, minutes: number, more: Partial<DeploymentEvent> = {}) =>
  anEvent({ status, happened_at: new Date(nowMs - minutes * 60_000).toISOString(), ...more });

const row = (service: string, slots: Record<string, MatrixSlot>, upcoming?: Record<string, DeploymentEvent>) => ({
  service,
  slots,
  ...(upcoming ? { upcoming } : {}),
});

interface Known {
  readonly facts?: Partial<AttentionFacts>;
  readonly ahead?: FutureRows;
  readonly at?: number;
}

function attention(rows: readonly MatrixRow[], { facts = {}, ahead = new Map(), at = nowMs }: Known = {}) {
  return attentionOf(rows, columns, { ...context, futureRows: ahead }, { ...noFacts, ...facts }, at);
}

const told = ({ kind, service, environment }: Attention) => [kind, service, environment].filter(Boolean).join(' ');
const place = slotKey('a', 'qa');
const stuck = { stuck: new Map([[place, '5']]), usual: new Map([[place, { half: 4, most: 9 }]]) };
const usual = { usual: stuck.usual };

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
  ['a stuck run', { current: event('in-progress', 300, { id: '5' }) }, { facts: stuck }, ['stuck']],
  ['a run older than the stuck one', { current: event('in-progress', 300, { id: '4' }) }, { facts: stuck }, ['stuck']],
  ['a run that began after the stuck one', { current: event('in-progress', 1, { id: '6' }) }, { facts: stuck }, []],
  ['a success after the stuck run', { current: event('success', 1, { id: '6' }) }, { facts: stuck }, []],
  [
    'a stuck queued deployment',
    { current: event('success', 900, { id: '1' }), next: event('queued', 300, { id: '5' }) },
    { facts: stuck },
    ['stuck'],
  ],
  ['a stuck queued first deployment', event('queued', 300, { id: '5' }), { facts: stuck }, ['stuck']],
  ['a run below its 95th percentile', { current: event('in-progress', 8) }, { facts: usual }, []],
  ['a run above its 95th percentile', { current: event('in-progress', 9) }, { facts: usual }, ['slow']],
  ['a finished run above its 95th percentile', { current: event('success', 9) }, { facts: usual }, []],
  ['a long run without known durations', { current: event('in-progress', 900) }, {}, []],
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
    { current: event('success', 900, { id: '1' }), next: event('waiting', 300, { id: '5' }) },
    { facts: stuck },
    ['waits'],
  ],
  ['a queued deployment after a success', { current: event('success', 90), next: event('queued', 80) }, {}, []],
  ['a cancelled deployment after a success', { current: event('success', 90), next: event('cancelled', 80) }, {}, []],
  ['an event dated 4 minutes in the future', { current: event('success', -4) }, hiding(), []],
  ['an event dated 6 minutes in the future', { current: event('success', -6) }, hiding(), ['ahead']],
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
  const facts = {
    stuck: new Map([[slotKey('two', 'qa'), '5']]),
    usual: new Map([[slotKey('one', 'Prod'), { half: 2, most: 3 }]]),
    silent: [{ reporter: 'jenkins', lastMs: 5, usualMinutes: 40 }],
  };
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
  const before = attentionOf(rows, columns, context, noFacts, nowMs);
  expect(attentionOf(rows, ['dev'], context, noFacts, nowMs)).toEqual([]);
  const changed = [rows[0], row('two', { qa: { current: event('failure', 1) } })].flatMap((each) => each ?? []);
  const after = attentionOf(changed, columns, context, noFacts, nowMs);
  expect(after[1]).toBe(before.find(({ service }) => service === 'one'));
  expect(after[0]).not.toBe(before.find(({ service }) => service === 'two'));
});

test.each<[string, MatrixSlot | DeploymentEvent, AttentionFacts, string | undefined]>([
  ['a run below its 95th percentile', { current: event('in-progress', 8) }, { ...noFacts, ...usual }, undefined],
  [
    'a run above its 95th percentile',
    { current: event('in-progress', 41) },
    { ...noFacts, ...usual },
    'slow: 41 min, usually 4 min',
  ],
  [
    'a stuck run',
    { current: event('in-progress', 300, { id: '5' }) },
    { ...noFacts, ...stuck },
    'stuck: 5 h, usually 4 min',
  ],
  [
    'a stuck queued deployment',
    { current: event('success', 900, { id: '1' }), next: event('queued', 300, { id: '5' }) },
    { ...noFacts, stuck: stuck.stuck },
    'stuck: 5 h',
  ],
  ['a failure', { current: event('failure', 900, { id: '1' }) }, { ...noFacts, ...stuck }, undefined],
  ['a run without known durations', { current: event('in-progress', 900) }, noFacts, undefined],
])('the cell shows whether a deployment is late: %s', (_, slotState, facts, due) => {
  const lag = lagIn({ service: 'a', environment: 'qa', box: boxOf(slotState) }, facts, nowMs);
  expect(lag && problemText(lag, { nowMs, isOut: false })).toBe(due);
});

test('names of object members, markup and an empty reporter name are treated as names', () => {
  const names = ['__proto__', 'constructor', '<img src=x>', '"],["', '\u202eevil'];
  const slots = Object.fromEntries(names.map((name) => [name, { current: event('failure', 1) }]));
  const rows = names.map((service) => ({ service, slots }));
  const facts = { ...noFacts, silent: [{ reporter: '', lastMs: 1, usualMinutes: undefined }] };
  const all = attentionOf(rows, names, context, facts, nowMs);
  expect(all).toHaveLength(names.length ** 2 + 1);
  expect(all.at(-1)).toMatchObject({ kind: 'silent', service: '', environment: undefined });
  expect(new Set(all.map(told)).size).toBe(all.length);
});

test.each([
  [['dev', 'Staging', 'eu'], 'Staging'],
  [['PROD', 'dev'], 'PROD'],
  [['eu', 'us'], undefined],
  [[], undefined],
])('among the columns %j, production is %s', (environments, due) => {
  expect(productionOf(environments, ['dev', 'staging', 'prod'])).toBe(due);
});
