import type { DeploymentEvent, MatrixRow, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import type { Attention } from '../src/board/attention.ts';
import { boardAfter, emptyBoard, slotKey } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import { withReleases } from '../src/pipelines/opened-pipeline.tsx';
import { asStood, lineOrder } from '../src/pipelines/row-order.ts';
import { type ServiceStages, stageLineOf } from '../src/pipelines/service-stages.ts';
import { howFar, sectionTitle, stagesSentence, strokeOf, usually } from '../src/pipelines/stage-words.ts';
import { release } from './support/a-release.ts';
import { anEvent } from './support/an-event.ts';

const columns = ['dev', 'staging', 'qa', 'prod'];
const started = Date.parse('2026-05-04T09:00:00Z');

/** Events as "version environment status", each a minute later than the previous one; a leading "+40d" adds 40 days. */
function events(service: string, ...lines: readonly string[]): DeploymentEvent[] {
  let minute = 0;
  return lines.map((line, index) => {
    const [, days, rest = ''] = /^(?:\+(\d+)d )?(.*)$/.exec(line) ?? [];
    const [version = '', environment = '', status = 'success'] = rest.split(' ');
    minute += 1 + Number(days ?? 0) * 1440;
    const happened_at = new Date(started + minute * 60_000).toISOString();
    const id = `019c5d1e-3f9a-7000-9b1d-${String(index).padStart(12, '0')}`;
    return anEvent({
      id,
      deployment_id: `${version}-${environment}`,
      service,
      version,
      environment,
      happened_at,
      status: status as Status,
    });
  });
}

function rowOf(service: string, ...lines: readonly string[]): MatrixRow {
  const row = boardAfter(emptyBoard, events(service, ...lines)).board.rows.get(service);
  if (!row) throw new Error('the board has no such row');
  return row;
}

function lineOf(lines: readonly string[], more: { stuck?: string; slow?: string } = {}): ServiceStages {
  const kinds = Object.entries(more) as ['stuck' | 'slow', string][];
  const attention = new Map(
    kinds.map(([kind, environment]) => [slotKey('api', environment), { kind, usualMinutes: 4 } as Attention]),
  );
  const context = { ...noContext, futureRows: noFutureRows, production: 'prod' };
  const line = stageLineOf(rowOf('api', ...lines), { columns, context, attention });
  if (!line) throw new Error('there is no line');
  return line;
}

const marksOf = ({ stages }: ServiceStages) => stages.map(({ mark }) => mark).join(' ');

test.each([
  ['reached production', ['1 dev', '1 staging', '1 qa', '1 prod'], 'rest', '1', 'ok ok ok ok', 'reached prod'],
  [
    'failed in production',
    ['1 dev', '1 staging', '1 qa', '1 prod failure'],
    'halted',
    '1',
    'ok ok ok bad',
    'failed in prod',
  ],
  [
    'failed on the way to production',
    ['0 prod', '1 dev', '1 staging failure'],
    'halted',
    '1',
    'ok bad none not',
    'failed in staging',
  ],
  [
    'failed, while a newer one is running',
    ['1 dev', '1 staging failure', '2 dev'],
    'halted',
    '1',
    'newer bad none not',
    'failed in staging',
  ],
  [
    'failed twice show the failure nearest to production',
    ['1 qa failure', '2 dev failure'],
    'halted',
    '1',
    'newer none bad not',
    'failed in qa',
  ],
  ['runs', ['1 dev', '1 staging in-progress'], 'moving', '1', 'ok run none not', 'running in staging'],
  [
    'is running further than another one',
    ['2 dev in-progress', '1 qa in-progress'],
    'moving',
    '1',
    'not none run not',
    'running in qa',
  ],
  ['is queued', ['0 prod', '1 dev', '1 prod queued'], 'moving', '1', 'ok none none queued', 'queued for prod'],
  ['waits for its first deployment', ['1 dev', '1 prod waiting'], 'moving', '1', 'ok none none waits', 'waits in prod'],
  ['is pending', ['1 dev pending'], 'moving', '1', 'pending none none not', 'pending in dev'],
  [
    'was cancelled',
    ['1 dev', '1 staging in-progress', '1 staging cancelled'],
    'short',
    '1',
    'ok off none not',
    'cancelled in staging',
  ],
  [
    'was rejected before it ran',
    ['0 prod', '1 dev', '1 prod rejected'],
    'short',
    '1',
    'ok none none off',
    'rejected in prod',
  ],
  [
    'is not yet in production',
    ['0 dev', '0 qa', '0 prod', '1 dev', '1 qa'],
    'short',
    '1',
    'ok none ok not',
    'reached qa',
  ],
  [
    'is the newest, while an older one went further later',
    ['1 dev', '0 prod', '1 qa'],
    'short',
    '1',
    'ok none ok not',
    'reached qa',
  ],
  ['was rolled back', ['0 prod', '1 dev', '1 prod', '0 prod'], 'short', '1', 'ok none none not', 'reached dev'],
  [
    'is no longer in an abandoned stage',
    ['0 dev', '+40d 1 staging', '1 prod'],
    'rest',
    '1',
    'not ok none ok',
    'reached prod',
  ],
  ['is still in a rarely used stage', ['1 dev', '+20d 0 prod'], 'short', '1', 'ok none none not', 'reached dev'],
  ['is deployed only outside the promotion order', ['1 perf'], 'short', '1', 'none none none none', 'reached perf'],
  ['fails elsewhere', ['1 perf failure'], 'halted', '1', 'none none none none', 'failed in perf'],
])('the stages of a release that %s', (_, lines, section, release, marks, words) => {
  const line = lineOf(lines);
  expect([line.section, line.release, marksOf(line), howFar(line)]).toEqual([section, release, marks, words]);
});

test('a stuck deployment counts as halted and a slow one as moving, and both show the usual duration', () => {
  const lines = ['1 dev', '1 staging in-progress', '2 dev in-progress'];
  const stuck = lineOf(lines, { stuck: 'staging' });
  expect([stuck.section, marksOf(stuck), howFar(stuck)]).toEqual([
    'halted',
    'newer stuck none not',
    'stuck in staging',
  ]);
  expect(usually(stuck.usualMinutes)).toBe(', usually 4 min');
  const slow = lineOf(lines, { slow: 'staging' });
  expect([slow.section, marksOf(slow), howFar(slow)]).toEqual(['moving', 'newer slow none not', 'slow in staging']);
  expect([usually(undefined), usually(0.2), usually(180)]).toEqual(['', ', usually 1 min', ', usually 3 h']);
});

test('if there is no production stage, no release counts as short of production', () => {
  const asked = { columns: ['a', 'b'], context: noContext, attention: new Map() };
  expect(stageLineOf(rowOf('api', '1 a', '0 b'), asked)?.section).toBe('rest');
  expect(sectionTitle('rest', undefined)[0]).toBe('Released');
  expect(sectionTitle('short', 'PROD')[0]).toBe('Not yet in PROD');
});

test('rows have text for screen readers, and line styles differ without colour', () => {
  const line = lineOf(['1 dev', '1 staging in-progress']);
  expect(stagesSentence(line.stages)).toBe('dev succeeded, staging running, prod not yet');
  expect((['ok', 'newer', 'run', 'bad', 'not', 'queued', 'none'] as const).map(strokeOf)).toEqual([
    'solid',
    'solid',
    'dashed',
    'broken',
    'dotted',
    'dotted',
    undefined,
  ]);
});

test("the log's facts about a release override the board's assumptions", () => {
  const line = lineOf(['0 staging', '0 prod', '1 dev', '1 qa failure', '2 dev', '2 staging']);
  expect(marksOf(line)).toBe('newer newer bad not');
  const [dev, qa] = events('api', '1 dev', '1 qa failure');
  const known = {
    ...release([], null),
    version: '1',
    places: {
      dev: { event: dev ?? anEvent(), since: null, until: null },
      qa: { event: qa ?? anEvent(), since: null, until: null },
    },
  };
  expect(withReleases(line, [known]).map(({ mark }) => mark)).toEqual(['newer', 'none', 'bad', 'not']);
  expect(withReleases(line, []).map(({ mark }) => mark)).toEqual(['newer', 'newer', 'bad', 'not']);
});

test.each([
  ['later', ['1 dev', '1 staging failure', '1 qa failure', '0 staging'], 'newer'],
  ['earlier', ['1 dev', '1 staging failure', '0 staging', '1 qa failure'], 'not'],
])(
  'a stage shows that the release failed there, even if another release succeeded there %s than the failure in qa',
  (_, lines, supposed) => {
    const line = lineOf(lines);
    expect(marksOf(line)).toBe(`ok ${supposed} bad not`);
    const [, failed = anEvent()] = events('api', ...lines);
    const known = {
      ...release([], null),
      version: '1',
      places: { staging: { event: failed, since: null, until: null } },
    };
    expect(withReleases(line, [known])[1]).toMatchObject({ mark: 'bad', event: failed });
  },
);

function namedLine(service: string, ...lines: readonly string[]): ServiceStages {
  const context = { ...noContext, production: 'prod' };
  const line = stageLineOf(rowOf(service, ...lines), { columns, context, attention: new Map() });
  if (!line) throw new Error('there is no line');
  return line;
}

test('rows are sorted by section, nearest to production first, and released ones by name', () => {
  const lines = [
    namedLine('z', '1 prod'),
    namedLine('a', '1 prod'),
    namedLine('dev', '1 dev failure'),
    namedLine('later', '0 dev', '1 prod failure'),
    namedLine('prod', '1 prod failure'),
    namedLine('run', '1 dev in-progress'),
  ];
  expect([...lineOrder(lines, columns)]).toEqual([
    ['later', 'halted'],
    ['prod', 'halted'],
    ['dev', 'halted'],
    ['run', 'moving'],
    ['a', 'rest'],
    ['z', 'rest'],
  ]);
});

test('no row moves automatically: new and misplaced rows are counted', () => {
  const before = [namedLine('a', '1 prod'), namedLine('b', '1 prod')];
  const stood = lineOrder(before, columns);
  const after = [namedLine('b', '1 prod', '2 prod failure'), namedLine('c', '1 dev')];
  const { parts, moves } = asStood(after, stood);
  expect(moves).toBe(2);
  expect(parts.map(({ section, lines }) => [section, lines.map(howFar)])).toEqual([['rest', ['failed in prod']]]);
});
