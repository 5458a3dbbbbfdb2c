import type { DeploymentEvent, MatrixRow, Release, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import type { Line } from '../src/board/arrangement.ts';
import { boardAfter, emptyBoard } from '../src/board/board.ts';
import { type BoardContext, noContext } from '../src/board/context.ts';
import { earlierLine, type Place, type Progress, progressOf } from '../src/board/progress.ts';
import { howFar, placesSentence, sectionTitle } from '../src/board/progress-words.ts';
import { stagesOn } from '../src/board/stages.ts';
import { attemptsIn } from '../src/progress/opened-row.tsx';
import { withOpened } from '../src/progress/progress.tsx';
import { release } from './support/a-release.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';
import { contextWith, stagesNamed } from './support/stages.ts';

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

const context = contextWith('prod', ['dev', 'staging', 'qa']);

interface Asked {
  readonly context?: BoardContext;
  readonly columns?: readonly string[];
  readonly releases?: readonly Release[];
}

function progressIn(lines: readonly string[], asked: Asked = {}): Progress {
  const progress = progressOf(
    rowOf('api', ...lines),
    asked.columns ?? columns,
    asked.context ?? context,
    asked.releases,
  );
  if (!progress) throw new Error('there is no progress');
  return progress;
}

const marksOf = ({ places }: { readonly places: readonly Place[] }) => places.map(({ mark }) => mark).join(' ');

/** Each line as "release: marks: words". */
function linesOf({ lines }: Progress, { stages } = context): string[] {
  return lines.map((line) => `${line.release}: ${marksOf(line)}: ${howFar(line, stages)}`);
}

test.each<[name: string, events: string[], section: string, lines: string[]]>([
  ['reached production', ['1 dev', '1 staging', '1 qa', '1 prod'], 'rest', ['1: ok ok ok ok: in prod']],
  ['failed in production', ['1 dev', '1 qa', '1 prod failure'], 'halted', ['1: ok none ok bad: failed in prod']],
  ['failed on its way', ['0 prod', '1 dev', '1 staging failure'], 'halted', ['1: ok bad none not: failed in staging']],
  [
    'failed, and a newer one follows',
    ['1 dev', '1 staging failure', '2 dev'],
    'halted',
    ['2: ok not none not: reached dev', '1: newer bad none not: failed in staging'],
  ],
  [
    'failed, and a newer one fails, too',
    ['1 qa failure', '2 dev failure'],
    'halted',
    ['2: bad none not not: failed in dev', '1: newer none bad not: failed in qa'],
  ],
  ['is running', ['1 dev', '1 staging in-progress'], 'moving', ['1: ok run none not: running in staging']],
  [
    'is running, and a newer one is running, too',
    ['2 dev in-progress', '1 qa in-progress'],
    'moving',
    ['2: run none not not: running in dev', '1: not none run not: running in qa'],
  ],
  ['is queued', ['0 prod', '1 dev', '1 prod queued'], 'moving', ['1: ok none none queued: queued for prod']],
  ['waits', ['1 dev', '1 prod waiting'], 'moving', ['1: ok none none waits: waiting in prod']],
  ['is pending', ['1 dev pending'], 'moving', ['1: pending none none not: pending in dev']],
  [
    'was cancelled',
    ['1 dev', '1 staging in-progress', '1 staging cancelled'],
    'short',
    ['1: ok off none not: cancelled in staging'],
  ],
  [
    'was rejected before it ran',
    ['0 prod', '1 dev', '1 prod rejected'],
    'short',
    ['1: ok none none off: rejected in prod'],
  ],
  ['is not in production yet', ['0 qa', '0 prod', '1 dev', '1 qa'], 'short', ['1: ok none ok not: reached qa']],
  [
    'is the newest, while an older one went further later',
    ['1 dev', '0 prod', '1 qa'],
    'short',
    ['1: ok none ok not: reached qa'],
  ],
  ['was rolled back', ['0 prod', '1 dev', '1 prod', '0 prod'], 'short', ['1: ok none none not: reached dev']],
  ['left an abandoned stage', ['0 dev', '+40d 1 staging', '1 prod'], 'rest', ['1: not ok none ok: in prod']],
  ['is in a rarely used stage', ['1 dev', '+20d 0 prod'], 'short', ['1: ok none none not: reached dev']],
  ['is only outside the promotion order', ['1 perf'], 'short', ['1: none none none none: reached perf']],
  ['failed elsewhere', ['1 perf failure'], 'halted', ['1: none none none none: failed in perf']],
])('the progress of a release that %s', (_, events, section, lines) => {
  const progress = progressIn(events);
  expect(progress.section).toBe(section);
  expect(linesOf(progress)).toEqual(lines);
});

function withFact(environment: string, fact: Parameters<typeof someFacts>[0][number]): BoardContext {
  return { ...context, facts: someFacts([{ service: 'api', environment, ...fact }]) };
}

const since = new Date(started).toISOString();
const stuckFact = { stuck: { since, status: 'in-progress', deployment_id: 'old' } } as const;

test('a stuck release is halted and a slow one is moving; both know how long it usually takes', () => {
  const lines = ['1 dev', '1 staging in-progress', '2 dev'];
  const usual = { p50: 4, p95: 9, count: 7 };
  const stuck = progressIn(lines, { context: withFact('staging', { ...stuckFact, usual }) });
  expect(stuck.section).toBe('halted');
  expect(linesOf(stuck)[1]).toBe('1: newer stuck none not: stuck in staging');
  expect(stuck.lines[1]?.usualMinutes).toBe(4);
  const slow = progressIn(lines, { context: withFact('staging', { slow: { since, usual_minutes: 4 } }) });
  expect([slow.section, slow.lines.map(({ far }) => far.mark)]).toEqual(['moving', ['ok', 'slow']]);
});

test('a release is not halted by a stuck deployment that another one has followed, but by a queued one that is stuck', () => {
  const stuck = { context: withFact('prod', stuckFact) };
  expect(linesOf(progressIn(['0 prod', '1 dev'], stuck))).toEqual(['1: ok none none not: reached dev']);
  expect(linesOf(progressIn(['0 prod', '1 dev', '1 prod queued'], stuck))).toEqual([
    '1: ok none none stuck: stuck in prod',
  ]);
});

test('if there is no production stage, no release counts as short of production', () => {
  const asked = { columns: ['a', 'b'], context: { ...noContext, stages: stagesNamed([]) } };
  expect(progressIn(['1 a', '0 b'], asked).section).toBe('rest');
  expect(sectionTitle('rest', undefined)).toBe('Released');
  expect(sectionTitle('short', 'PROD')).toBe('Not yet in PROD');
});

const worldwide = ['dev', 'prod-dr', 'prod-eu', 'prod-us'];
const several = {
  columns: worldwide,
  context: {
    ...noContext,
    stages: stagesOn(worldwide, [
      { name: 'dev', environments: ['dev'], production: false },
      { name: 'production', environments: worldwide.slice(1), production: true },
    ]),
  },
};

test.each([
  ['before it reached any', ['1 dev'], '1: ok not not not: reached dev'],
  ['in one, and never deployed to the others', ['1 dev', '1 prod-eu'], '1: ok none ok none: in production'],
  [
    'in one of those that have the service',
    ['0 prod-dr', '0 prod-eu', '0 prod-us', '1 dev', '1 prod-eu'],
    '1: ok not ok not: in prod-eu, not in prod-dr and prod-us',
  ],
  ['in all', ['1 dev', '1 prod-dr', '1 prod-eu', '1 prod-us'], '1: ok ok ok ok: in production'],
  [
    'failed in two',
    ['0 prod-us', '1 dev', '1 prod-dr failure', '1 prod-eu failure'],
    '1: ok bad bad not: failed in prod-dr and prod-eu',
  ],
  [
    'failed in all',
    ['1 dev', '1 prod-dr failure', '1 prod-eu failure', '1 prod-us failure'],
    '1: ok bad bad bad: failed in prod-dr and 2 more',
  ],
])('production of several environments: a release %s', (_, events, line) => {
  expect(linesOf(progressIn(events, several), several.context)).toEqual([line]);
});

test('screen readers hear the mark of each environment in use', () => {
  const [line] = progressIn(['1 dev', '1 staging in-progress']).lines;
  expect(placesSentence(line.places)).toBe('dev: runs there, staging: running, prod: not yet');
});

/** The release of these events as the log knows it, with its last event in each environment. */
function logged(version: string, ...of: readonly DeploymentEvent[]): Release {
  const own = of.filter((event) => event.version === version);
  const places = Object.fromEntries(
    own.map((event) => [event.environment, { event, since: null, until: null }] as const),
  );
  return { ...release([], null), version, places };
}

test('a failure that a newer release has passed is shown, and a release that was never in a stage skipped it', () => {
  const lines = ['0 staging', '0 prod', '1 dev failure', '1 qa failure', '2 dev', '2 staging'];
  const all = events('api', ...lines);
  expect(linesOf(progressIn(lines))[1]).toBe('1: newer newer bad not: failed in qa');
  expect(linesOf(progressIn(lines, { releases: [logged('1', ...all)] }))[1]).toBe(
    '1: passed skipped bad not: failed in qa',
  );
});

test.each([
  ['later', ['1 dev', '1 staging failure', '1 qa failure', '0 staging']],
  ['earlier', ['1 dev', '1 staging failure', '0 staging', '1 qa failure']],
])('a failure in staging is shown even if another release succeeded there %s than it failed in qa', (_, lines) => {
  const releases = [logged('1', ...events('api', ...lines))];
  expect(linesOf(progressIn(lines, { releases }))).toEqual(['1: ok passed bad not: failed in qa']);
});

test('an earlier release shows where it still runs, where it was, and where it failed', () => {
  const lines = ['1 dev', '1 staging failure', '2 dev', '2 staging', '2 qa', '2 prod', '3 dev', '3 staging'];
  const all = events('api', ...lines);
  const earlier = (version: string) => {
    const line = earlierLine(rowOf('api', ...lines), columns, context, logged(version, ...all));
    return `${marksOf(line)}: ${howFar(line, context.stages)}`;
  };
  expect(earlier('2')).toBe('newer newer ok ok: in prod');
  expect(earlier('1')).toBe('newer passed skipped skipped: failed in staging');
});

test('an earlier release that never ended, or never ran, says so', () => {
  const lines = ['1 dev in-progress', '2 dev', '2 prod', '3 dev'];
  const words = (known: Release) =>
    howFar(earlierLine(rowOf('api', ...lines), columns, context, known), context.stages);
  expect(words(logged('1', ...events('api', ...lines)))).toBe('no end reported in dev');
  expect(words(logged('0'))).toBe('never ran');
});

test('attempts are the deployments to one environment, oldest first, each with its last event', () => {
  const all = events('api', '1 qa in-progress', '1 qa failure', '1 dev').map((event, index) => ({
    ...event,
    deployment_id: index < 2 ? 'first' : 'other',
  }));
  const again = anEvent({
    deployment_id: 'second',
    environment: 'qa',
    status: 'in-progress',
    happened_at: '2026-05-05T00:00:00Z',
  });
  expect(attemptsIn([again, ...all.toReversed()], 'qa').map(({ latest, number }) => [number, latest.status])).toEqual([
    [1, 'failure'],
    [2, 'in-progress'],
  ]);
});

test('an open service is shown even if its group or the line of healthy services is folded', () => {
  const rows = [rowOf('a', '1 dev'), rowOf('b', '1 dev')];
  const group = { name: 'g', services: ['a', 'b'], healthy: new Set<string>(), isCalm: true };
  const head: Line = { kind: 'group', key: 'group g', group, rows, isOpen: false, canFold: true };
  const healthy: Line = { kind: 'healthy', key: 'healthy g', group, rows, isOpen: false };
  const keys = (lines: readonly Line[], open?: string) => withOpened(lines, open).map(({ key }) => key);
  expect(keys([head])).toEqual(['group g']);
  expect(keys([head], 'b')).toEqual(['group g', 'row b']);
  expect(keys([head, healthy], 'a')).toEqual(['group g', 'healthy g', 'row a']);
  expect(keys(withOpened([head], 'a'), 'a')).toEqual(['group g', 'row a']);
  expect(keys([head], 'gone')).toEqual(['group g']);
});
