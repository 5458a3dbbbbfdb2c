import type { DeploymentEvent, MatrixRow, MatrixSlot } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { slotKey } from '../src/board/board.ts';
import { boxIn } from '../src/board/box.ts';
import {
  agreeingStages,
  columnOrder,
  columnsFor,
  otherStages,
  steadyColumns,
  toggledStage,
} from '../src/board/columns.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import { guessedProduction, productionSetting } from '../src/board/production.ts';
import { stageBoxOf } from '../src/board/stage-box.ts';
import { type ReportedStages, type Stages, shortNames, stagesOn } from '../src/board/stages.ts';
import { anEvent } from './support/an-event.ts';
import { stagesNamed } from './support/stages.ts';

const reported: ReportedStages = [
  { name: 'Dev', environments: ['dev'], production: false },
  { name: 'Staging', environments: ['staging', 'uat-anna'], production: false },
  { name: 'Production', environments: ['dr', 'prod-eu', 'prod-us'], production: true },
  { name: null, environments: ['lab'], production: false },
];
const environments = ['dev', 'dr', 'lab', 'prod-eu', 'prod-us', 'staging', 'uat-anna'];
const stages = stagesOn(environments, reported);

function toldOf({ all, production, productionName }: Stages) {
  return [all.map(({ name, environments: own }) => `${name}: ${own.join(' ')}`), [...production], productionName];
}

describe('the stages of a board', () => {
  test('production is every environment of the last stage', () => {
    expect(toldOf(stages)).toEqual([
      ['Dev: dev', 'Staging: staging uat-anna', 'Production: dr prod-eu prod-us'],
      ['dr', 'prod-eu', 'prod-us'],
      'Production',
    ]);
    expect(stages.environments).toEqual(['dev', 'staging', 'uat-anna', 'dr', 'prod-eu', 'prod-us']);
  });

  test('an environment that has not been reported yet is in the stage of its name, ignoring case', () => {
    expect(toldOf(stagesNamed(['dev', 'staging', 'prod'], ['PROD', 'dev', 'eu']))).toEqual([
      ['dev: dev', 'prod: PROD'],
      ['PROD'],
      'PROD',
    ]);
    expect(stagesOn([...environments, 'uat-bob'], reported).ofEnvironment.has('uat-bob')).toBe(false);
  });

  test('without production on the board the viewer chooses it, and only then', () => {
    const plain = ['dev', 'eu', 'us'];
    const named = reported.map(({ name, production }) => ({ name, environments: [], production }));
    expect(toldOf(stagesOn(plain, named))[2]).toBeUndefined();
    expect(toldOf(stagesOn(plain, named, ['us', 'eu', 'gone']))).toEqual([
      ['Dev: dev', 'production: eu us'],
      ['eu', 'us'],
      'production',
    ]);
    expect(stagesOn(environments, reported, ['dev']).production.has('dev')).toBe(false);
  });
});

test.each([
  [
    ['prod-eu', 'reproduction', 'dr', 'x.LIVE', 'Prd_1', 'production'],
    ['prod-eu', 'dr', 'x.LIVE', 'Prd_1', 'production'],
  ],
  [['dev', 'driver', 'alive'], []],
])('among %j, %j are guessed to be production', (names, due) => {
  expect(guessedProduction(names)).toEqual(due);
});

test('the setting for everyone keeps the other stages and escapes names', () => {
  expect(productionSetting(stages, ['a|b', 'prod-eu'])).toBe(
    'ANALYTICS_FUNNEL_ENVIRONMENTS=Dev,Staging=staging|uat-anna,production=a\\|b|prod-eu',
  );
});

test.each([
  [
    ['prod-eu', 'prod-us'],
    ['eu', 'us'],
  ],
  [
    ['prod-eu', 'prod-us', 'dr'],
    ['eu', 'us', 'dr'],
  ],
  [
    ['acme_prod.eu-1', 'acme_prod.eu-2'],
    ['eu-1', 'eu-2'],
  ],
  [
    ['staging', 'uat-anna'],
    ['staging', 'uat-anna'],
  ],
  [
    ['prod-', 'prod-eu'],
    ['prod-', 'prod-eu'],
  ],
  [
    ['prod', 'production'],
    ['prod', 'production'],
  ],
])('the names %j are shortened to %j', (names, due) => {
  expect([...shortNames(names).values()]).toEqual(due);
});

const tell = (columns: ReturnType<typeof columnsFor>) =>
  columns.map(({ stage, environments: own, isFolded }) => `${stage}${isFolded ? '+' : ':'} ${own.join(' ')}`);

describe('columns', () => {
  const order = columnOrder(environments, stages, { order: [], hidden: [] });
  const none = new Set<string>();

  test('columns are in the order of the stages, with production last', () => {
    expect(order).toEqual(['dev', 'staging', 'uat-anna', 'lab', 'dr', 'prod-eu', 'prod-us']);
  });

  test('the environments of a folded stage share a column, except where there is only one', () => {
    expect(tell(columnsFor(order, stages, none, new Set(['Dev', 'Production'])))).toEqual([
      'Dev: dev',
      'Staging: staging',
      'Staging: uat-anna',
      ': lab',
      'Production+ dr prod-eu prod-us',
    ]);
  });

  test('rarely used environments share a column before production', () => {
    const rare = new Set(['dev', 'lab']);
    expect(tell(columnsFor(order, stages, rare, new Set([otherStages]))).slice(2)).toEqual([
      `${otherStages}+ dev lab`,
      'Production: dr',
      'Production: prod-eu',
      'Production: prod-us',
    ]);
    expect(tell(columnsFor(order, stages, rare, none)).slice(2, 4)).toEqual([
      `${otherStages}: dev`,
      `${otherStages}: lab`,
    ]);
  });

  test('an environment that appears later gets the last place before production', () => {
    const now = columnOrder([...environments, 'alpha'], stages, { order: [], hidden: [] });
    expect(
      steadyColumns(
        order.filter((name) => name !== 'staging'),
        now,
        stages,
      ),
    ).toEqual(['dev', 'uat-anna', 'lab', 'staging', 'alpha', 'dr', 'prod-eu', 'prod-us']);
    expect(steadyColumns(order, ['dr', 'dev'], stages)).toEqual(['dev', 'dr']);
  });

  test('folding and unfolding a stage cancel each other', () => {
    const nothing = { wide: [], narrow: [] };
    const folded = toggledStage({ stage: 'Dev', isFolded: false }, nothing);
    expect(folded).toEqual({ wide: [], narrow: ['Dev'] });
    expect(toggledStage({ stage: 'Dev', isFolded: true }, folded)).toEqual({ wide: ['Dev'], narrow: [] });
  });
});

const slot = (version: string, status: DeploymentEvent['status'], minute: number, last?: string): MatrixSlot => ({
  current: anEvent({ id: `${minute}`, version, status, happened_at: `2026-05-04T09:${minute}:00Z` }),
  ...(last !== undefined && { last_successful: anEvent({ version: last, happened_at: '2026-05-04T08:00:00Z' }) }),
});
const row = (slots: MatrixRow['slots']): MatrixRow => ({ service: 'a', slots });
const production = ['prod-eu', 'prod-us', 'dr'];

test('a folded column is computed once while its row, its environments and the future rows are the same', () => {
  const own = row({ dr: slot('1', 'success', 10) });
  const stage = stageBoxOf(own, production, noFutureRows);
  expect(stageBoxOf(own, production, noFutureRows)).toBe(stage);
  expect(stageBoxOf(own, ['dr'], noFutureRows)?.versions.map(({ where }) => where)).toEqual(['dr']);
  expect(stageBoxOf(row({ dr: slot('2', 'failure', 11) }), production, noFutureRows)?.worst.box.tone).toBe('bad');
  const ahead = new Map([[slotKey('a', 'dr'), { hidden: undefined }]]);
  expect(stageBoxOf(own, production, ahead)?.worst.box.isInFuture).toBe(true);
  expect(stageBoxOf(own, production, noFutureRows)).toEqual(stage);
});

const boxOf = (slots: MatrixRow['slots']) => {
  const stage = stageBoxOf(row(slots), production, noFutureRows);
  return (
    stage && [
      `${stage.worst.environment} ${stage.worst.box.tone} in ${stage.worstIn}`,
      stage.counts.map(({ kind, count }) => `${count} ${kind}`).join(' '),
      stage.versions.map(({ version, where }) => `${where} ${version}`).join(' · '),
    ]
  );
};

test.each<[string, MatrixRow['slots'], string[] | undefined]>([
  ['nothing', {}, undefined],
  ['one environment', { dr: slot('1', 'success', 10) }, ['dr ok in dr', '1 ok', 'dr 1']],
  [
    'the same version everywhere',
    { 'prod-eu': slot('1', 'success', 10), 'prod-us': slot('1', 'success', 11), dr: slot('1', 'success', 12) },
    ['prod-eu ok in eu', '3 ok', 'all 3 1'],
  ],
  [
    'two versions, newest first',
    { 'prod-eu': slot('1', 'success', 10), 'prod-us': slot('2', 'success', 11), dr: slot('1', 'success', 12) },
    ['prod-eu ok in eu', '3 ok', 'us 2 · eu, dr 1'],
  ],
  [
    'a failure among successes',
    { 'prod-eu': slot('1', 'success', 10), 'prod-us': slot('2', 'failure', 11, '1'), dr: slot('2', 'in-progress', 12) },
    ['prod-us bad in us', '1 bad 1 run 1 ok', 'eu, us 1'],
  ],
])('a folded column shows %s', (_, slots, due) => {
  expect(boxOf(slots)).toEqual(due);
  expect(boxIn(row(slots), 'none', noFutureRows)).toBeUndefined();
});

test('a stage agrees if three of four services run one version in it', () => {
  const both = (one: string, other: string) =>
    row({ staging: slot(one, 'success', 10), 'uat-anna': slot(other, 'success', 11) });
  const agreeing = (rows: MatrixRow[]) => [...agreeingStages(environments, rows, stages)];
  const same = [both('1', '1'), both('1', '1'), both('1', '1')];
  expect(agreeing([...same, both('1', '2')])).toContain('Staging');
  expect(agreeing([...same.slice(1), both('1', '2')])).not.toContain('Staging');
});

test('a folded column shows what runs where a success dated in the future hides a failure', () => {
  const hidden = anEvent({ id: '9', version: '2', status: 'failure' });
  const stage = stageBoxOf(
    row({ dr: slot('1', 'success', 10) }),
    production,
    new Map([[slotKey('a', 'dr'), { hidden }]]),
  );
  expect(stage?.worst.box.tone).toBe('bad');
  expect(stage?.versions.map(({ version, where }) => `${where} ${version}`)).toEqual(['dr 1']);
});
