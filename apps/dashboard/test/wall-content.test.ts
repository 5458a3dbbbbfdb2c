import type { DeploymentEvent, MatrixRow, MatrixSlot, Status } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { attentionOf } from '../src/board/attention.ts';
import { boardOf, slotKey } from '../src/board/board.ts';
import type { BoardContext } from '../src/board/context.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import { shownOf } from '../src/board/shown.ts';
import { stagesOn } from '../src/board/stages.ts';
import { type Address, home } from '../src/state/address.ts';
import { headlineOf, outageTexts, type SubPart, subOf } from '../src/wall/headline.ts';
import { labelText, wallContent } from '../src/wall/wall-content.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';
import { contextWith } from './support/stages.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const event = (status: Status, minutes: number, more: Partial<DeploymentEvent> = {}) =>
  anEvent({ status, happened_at: new Date(nowMs - minutes * 60_000).toISOString(), ...more });
const row = (service: string, slots: Record<string, MatrixSlot>): MatrixRow => ({ service, slots });
const success = { current: event('success', 300) };
const failure = { current: event('failure', 12, { version: '7.2.0' }), last_successful: event('success', 900) };

const board: readonly MatrixRow[] = [
  row('calm', { dev: success, prod: success }),
  row('elsewhere', { staging: failure, prod: success }),
  row('runs', { dev: { current: event('in-progress', 2), prev_failed: true }, prod: success }),
  row('slow', { dev: { current: event('in-progress', 41) }, prod: success }),
  row('stuck', { dev: { current: event('in-progress', 360, { id: '5' }) }, prod: success }),
  row('waits', { dev: success, prod: { ...success, next: event('waiting', 120) } }),
];
const down = row('orders-api', { dev: success, prod: failure });
const since = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
const facts = someFacts([
  { service: 'stuck', environment: 'dev', stuck: { since: since(360), status: 'in-progress', deployment_id: 'old' } },
  { service: 'slow', environment: 'dev', slow: { since: since(41), usual_minutes: 4 } },
]);
const context: BoardContext = { ...contextWith('prod'), facts };

function wall(
  rows: readonly MatrixRow[],
  { isOut = false, address = {} as Partial<Address>, futureRows = noFutureRows } = {},
) {
  const whole = boardOf({ environments: ['dev', 'prod', 'staging'], rows: [...rows] });
  const known = { ...context, futureRows };
  const shown = shownOf(whole, { ...home, ...address }, known);
  const attention = attentionOf(shown.rows, shown.columns, known, nowMs);
  const content = wallContent(shown, { context: known, attention, nowMs, isOut });
  const told = { shown, attention, stages: context.stages };
  return { content, headline: headlineOf(told), sub: subOf(told, content, [], nowMs).map(textOf) };
}

const textOf = (part: SubPart) => part.map(({ text }) => text).join('');
const labels = ({ content }: ReturnType<typeof wall>) =>
  content.rows.map(({ service, cells }) => [
    service,
    ...cells.flatMap((cell) => (cell && cell.label !== '' ? [`${cell.tone}: ${cell.label}`] : [])),
  ]);

describe('a wall', () => {
  test('a failure that a success dated in the future hides has its own version, in the cell and in the headline', () => {
    const hidden = { ...event('failure', 12, { version: '2.0' }), id: '9' };
    const ahead = event('success', -120, { id: '8', version: '3.0' });
    const rows = [
      row('shop', { prod: { current: ahead, last_successful: event('success', 600, { version: '1.0' }) } }),
    ];
    const shown = wall(rows, { futureRows: new Map([[slotKey('shop', 'prod'), { hidden }]]) });
    expect(shown.content.rows[0]?.cells.map((cell) => cell && [cell.tone, cell.version])).toContainEqual([
      'bad',
      '2.0',
    ]);
    expect(shown.sub).toContainEqual(expect.stringMatching(/^2\.0, 12 min ago/));
  });

  test('the wall lists unhealthy services by urgency, with an age only for alarms', () => {
    const shown = wall([...board, down]);
    expect(labels(shown)).toEqual([
      ['orders-api', 'bad: 12 min'],
      ['elsewhere', 'bad: 12 min'],
      ['stuck', 'stuck: stuck 6 h'],
      ['slow', 'slow: slow 41 min'],
      ['waits', 'wait: waiting 2 h'],
      ['runs', 'run: ▲ failed before'],
    ]);
    expect(shown.content.healthy).toEqual([{ service: 'calm', version: '1.4.2' }]);
    expect(shown.content.rows.map(({ isPinned }) => isPinned)).toEqual([true, false, false, false, false, false]);
    expect(shown.content.running).toBe(1);
  });

  test('during an outage the wall shows when a service failed, and shows the state of the others as unknown', () => {
    const told = labels(wall([...board, down], { isOut: true }));
    expect(told[0]).toEqual(['orders-api', expect.stringMatching(/^bad: at \d\d:\d\d$/)]);
    expect(told.slice(2).map(([, label]) => label?.split(': ')[1])).toEqual(Array(4).fill('unknown'));
  });
});

const places = ['dev', 'prod-dr', 'prod-eu', 'prod-us', 'tmp-1', 'tmp-2'];
const stages = stagesOn(places, [
  { name: 'dev', environments: ['dev'], production: false },
  { name: 'production', environments: ['prod-dr', 'prod-eu', 'prod-us'], production: true },
  { name: null, environments: ['tmp-1', 'tmp-2'], production: false },
]);

/** The wall of one unhealthy service and one that runs 7.3.0 in `prod-eu` and 1.4.2 elsewhere. */
function wallOfStages(slots: Record<string, MatrixSlot>) {
  const newer = { current: event('success', 200, { version: '7.3.0' }) };
  const calm = row('calm', { dev: success, 'prod-dr': success, 'prod-eu': newer });
  const whole = boardOf({
    environments: places,
    rows: [calm, ...[...'abcde'].map((name) => row(name, { dev: success })), row('orders', slots)],
  });
  const staged = { ...context, stages };
  const shown = shownOf(whole, home, staged);
  const attention = attentionOf(shown.rows, shown.columns, staged, nowMs);
  return { shown, attention, content: wallContent(shown, { context: staged, attention, nowMs, isOut: false }) };
}

describe('a wall with stages of several environments', () => {
  const running = { current: event('in-progress', 2) };

  test('each stage is one column, and so are rarely used environments; production is the last one', () => {
    const { columns, healthy } = wallOfStages({ dev: failure, 'tmp-1': success }).content;
    expect(columns.map(({ name, isOther, isLast }) => [name, isOther, isLast])).toEqual([
      ['dev', false, false],
      ['Others', true, false],
      ['production', false, true],
    ]);
    expect(healthy[0]).toEqual({ service: 'calm', version: '2 versions' });
    expect(healthy.at(-1)).toEqual({ service: 'e', version: '' });
  });

  test.each<[string, Record<string, MatrixSlot>, string]>([
    [
      'the environment that failed',
      { 'prod-dr': success, 'prod-eu': failure, 'prod-us': running },
      'bad 7.2.0 eu 12 min',
    ],
    ['how many failed', { 'prod-dr': success, 'prod-eu': failure, 'prod-us': failure }, 'bad 7.2.0 2 of 3 12 min'],
    ['what is running', { 'prod-dr': success, 'prod-eu': running }, 'run 1.4.2 eu'],
    ['the version that all run', { dev: failure, 'prod-dr': success, 'prod-eu': success }, 'ok 1.4.2 '],
  ])('a stage shows the worst state first: %s', (_, slots, expected) => {
    const cell = wallOfStages(slots).content.rows[0]?.cells.at(-1);
    expect(cell && `${cell.tone} ${cell.version} ${labelText(cell)}`).toBe(expected);
  });

  test('a failure in any environment of production is one in production', () => {
    const { shown, attention, content } = wallOfStages({ 'prod-us': failure });
    expect(content.rows[0]?.isPinned).toBe(true);
    const { service, text } = headlineOf({ shown, attention, stages });
    expect(service + text).toBe('orders failed in prod-us');
    expect(headlineOf({ shown, attention: [], stages }).text).toBe('production is healthy');
  });
});

describe('the headline of the wall', () => {
  const first = ({ headline }: ReturnType<typeof wall>) => `${headline.tone}: ${headline.service}${headline.text}`;

  test('the headline names the only failure in production, or counts several', () => {
    const one = wall([...board, down]);
    expect(first(one)).toBe('bad: orders-api failed in prod');
    expect(one.sub).toEqual([
      '7.2.0, 12 min ago; last success 1.4.2',
      '1 failed elsewhere',
      '2 stuck or slow',
      '1 running',
      '1 waiting',
    ]);
    expect(first(wall([down, row('search', { prod: failure })]))).toBe('bad: 2 failed in prod');
  });

  test('the headline says that production is healthy if nothing failed there', () => {
    expect(first(wall(board))).toBe('ok: prod is healthy');
    expect(wall(board.slice(0, 1)).sub).toEqual(['nothing needs attention', '1 service']);
  });

  test("the headline doesn't mention production if the wall doesn't show production", () => {
    const address = { filter: { ...home.filter, environments: ['dev', 'staging'] } };
    expect(first(wall(board, { address }))).toBe('bad: elsewhere failed in staging');
    expect(first(wall([down], { address }))).toBe('ok: No failures');
  });

  test('the headline is neutral if the wall has no services', () => {
    expect(first(wall([]))).toBe('none: Nothing to show');
  });

  test('the headline shows how long the service has been unreachable', () => {
    const { headline, sub } = outageTexts(nowMs - 360_000, nowMs - 360_000, nowMs);
    expect(headline.text).toBe('No response from Shiplog for 6 min');
    expect(sub.map(textOf)[0]).toMatch(/^The board below is from \d\d:\d\d\. It may be out of date\.$/);
  });
});
