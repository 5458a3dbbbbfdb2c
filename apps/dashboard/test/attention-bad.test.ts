import type { MatrixRow, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { attentionOf } from '../src/board/attention.ts';
import { attentionSentence, detailOf, partCounts, problemText, shortProblem } from '../src/board/attention-words.ts';
import type { BoardContext } from '../src/board/context.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { noticesAt } from '../src/board/notices.ts';
import { anEvent } from './support/an-event.ts';
import { aHold } from './support/holds.ts';
import { contextWith } from './support/stages.ts';
import { wallOf } from './support/wall.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const columns = ['dev', 'prod'];

const event = (status: Status, minutes: number, version: string) =>
  anEvent({ status, version, happened_at: new Date(nowMs - minutes * 60_000).toISOString() });

/** The board with version 1.4.2 marked as bad everywhere. */
function context(hold: Parameters<typeof aHold>[0] = {}): BoardContext {
  const bad: typeof hold = { kind: 'bad', environments: ['*'], version: '1.4.2', until: null, reason: 'loses orders' };
  return {
    ...contextWith('prod'),
    notices: noticesAt({ holds: [aHold({ ...bad, ...hold }, nowMs)], outages: [] }, nowMs),
  };
}

const running = (version = '1.4.2') => ({ current: event('success', 300, version) });
const rowOf = (slots: MatrixRow['slots']): MatrixRow => ({ service: 'pay', slots });

const told = (row: MatrixRow, hold = {}) =>
  attentionOf([row], columns, context(hold), nowMs).map(({ kind, environment }) => `${kind} ${environment}`);

test.each<[string, MatrixRow['slots'], string[]]>([
  ['runs in production', { prod: running() }, ['bad prod']],
  ['runs elsewhere', { dev: running(), prod: running('1.4.1') }, []],
  [
    'runs below a failure',
    { prod: { current: event('failure', 1, '1.4.3'), last_successful: event('success', 9, '1.4.2') } },
    ['failed prod'],
  ],
  [
    'runs below a deployment in progress',
    { prod: { current: event('in-progress', 1, '1.4.3'), last_successful: event('success', 9, '1.4.2') } },
    ['bad prod'],
  ],
  ['waits for its approval', { prod: { ...running('1.4.1'), next: event('waiting', 9, '1.4.2') } }, []],
])('a version that is marked as bad and %s', (_, slots, due) => {
  expect(told(rowOf(slots))).toEqual(due);
});

test.each([
  ['a freeze', { kind: 'freeze' }],
  ['a released mark', { released: { at: new Date(nowMs).toISOString(), by: null, reason: null } }],
  ['a mark of another service', { services: ['web'] }],
])('%s is no bad version', (_, hold) => {
  expect(told(rowOf({ prod: running() }), hold)).toEqual([]);
});

test('the words say who marked the version and why', () => {
  const [item] = attentionOf([rowOf({ prod: running() })], columns, context(), nowMs);
  if (!item) throw new Error('nothing needs attention');
  const ages = { nowMs, isOut: false };
  expect([problemText(item, ages), shortProblem(item, ages), detailOf(item, ages)]).toEqual([
    'bad version, marked 2 h ago',
    'bad version',
    '1.4.2 is marked bad: loses orders (Ines)',
  ]);
  expect(attentionSentence(item, ages)).toBe(
    'pay in prod: 1.4.2 bad version, marked 2 h ago; 1.4.2 is marked bad: loses orders (Ines)',
  );
  expect(partCounts([item]).map(({ text }) => text)).toEqual(['1 bad version in production']);
});

test('a service with a bad version in production is not healthy', () => {
  const slots = { prod: running() };
  expect(isHealthy(rowOf(slots), columns, context(), nowMs)).toBe(false);
  expect(isHealthy(rowOf(slots), columns, context({ version: '2' }), nowMs)).toBe(true);
  expect(isHealthy(rowOf({ dev: running() }), columns, context(), nowMs)).toBe(true);
});

/** The headline of a wall, the line below it, and the labels of its cells. */
function wall(...rows: MatrixRow[]) {
  const { rows: shown, ...words } = wallOf(rows, { context: context(), columns, nowMs });
  return { ...words, cells: shown.map(({ isPinned, cells }) => [isPinned, ...cells.map((cell) => cell?.label)]) };
}

test('the wall says which service runs a bad version', () => {
  expect(wall(rowOf({ prod: running() }))).toEqual({
    headline: 'bad: pay runs a bad version in prod',
    sub: ['1 bad in production'],
    cells: [[true, undefined, 'bad version']],
  });
  const web = { service: 'web', slots: { prod: running() } };
  expect(wall(rowOf({ prod: running() }), web).headline).toBe('bad: 2 bad versions in prod');
  const failed = { service: 'api', slots: { prod: { current: event('failure', 5, '2') } } };
  const both = wall(rowOf({ prod: running() }), failed);
  expect([both.headline, both.sub.at(-1)]).toEqual(['bad: api failed in prod', '1 bad in production']);
});
