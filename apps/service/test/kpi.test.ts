import { plainStages } from '@shiplog/text';
import { describe, expect, test } from 'vitest';
import { settings } from '../src/config.ts';
import { durationBins, severity } from '../src/domain/analytics-answers.ts';
import {
  type Figure,
  failureRate,
  failureRateFigure,
  frequencyFigure,
  type KpiName,
  kpi,
  medianFigure,
  ofDay,
  type TerminalCount,
} from '../src/domain/kpi.ts';
import { funnel, stagesOf } from '../src/domain/promotion-order.ts';

/** The smallest possible step beyond a bound. */
function beyond(bound: number): number {
  return bound * (1 + Number.EPSILON);
}

function below(bound: number): number {
  return bound * (1 - Number.EPSILON);
}

function figure(fields: Partial<Figure> = {}): Figure {
  return { value: null, prior: null, current: null, byDay: [], ...fields };
}

/** Terminal rows by day; days before `middle` are in the prior half. */
function terminal(middle: number, days: Readonly<Record<number, readonly [success: number, failure: number]>>) {
  return Object.entries(days).map(
    ([day, [success, failure]]): TerminalCount => ({ day: Number(day), prior: Number(day) < middle, success, failure }),
  );
}

const noDays: readonly number[] = [];

describe('classification (reading 5.5)', () => {
  test.each<[KpiName, number | null, string]>([
    ['deployment_frequency', null, 'low'],
    ['deployment_frequency', 0, 'low'],
    ['deployment_frequency', below(1 / 30), 'low'],
    ['deployment_frequency', 1 / 30, 'medium'],
    ['deployment_frequency', below(1 / 7), 'medium'],
    ['deployment_frequency', 1 / 7, 'high'],
    ['deployment_frequency', below(1), 'high'],
    ['deployment_frequency', 1, 'elite'],
    ['deployment_frequency', 1000, 'elite'],
    ['lead_time', null, 'low'],
    ['lead_time', 0, 'elite'],
    ['lead_time', 24, 'elite'],
    ['lead_time', beyond(24), 'high'],
    ['lead_time', 168, 'high'],
    ['lead_time', beyond(168), 'medium'],
    ['lead_time', 4320, 'medium'],
    ['lead_time', beyond(4320), 'low'],
    ['change_failure_rate', null, 'elite'],
    ['change_failure_rate', 0, 'elite'],
    ['change_failure_rate', 0.15, 'elite'],
    ['change_failure_rate', beyond(0.15), 'high'],
    ['change_failure_rate', 0.3, 'high'],
    ['change_failure_rate', beyond(0.3), 'medium'],
    ['change_failure_rate', 0.45, 'medium'],
    ['change_failure_rate', beyond(0.45), 'low'],
    ['change_failure_rate', 1, 'low'],
    ['time_to_restore', null, 'elite'],
    ['time_to_restore', 0, 'elite'],
    ['time_to_restore', 60, 'elite'],
    ['time_to_restore', beyond(60), 'high'],
    ['time_to_restore', 1440, 'high'],
    ['time_to_restore', beyond(1440), 'medium'],
    ['time_to_restore', 10_080, 'medium'],
    ['time_to_restore', beyond(10_080), 'low'],
  ])('a %s of %d is %s', (name, value, classification) => {
    expect(kpi(name, figure({ value }))).toMatchObject({ value, classification });
  });

  test('the caller chooses the class of a figure without a value, such as low for time_to_restore with an open incident', () => {
    expect(kpi('time_to_restore', figure({ value: null }), 'low').classification).toBe('low');
    expect(kpi('time_to_restore', figure({ value: 5 }), 'low').classification).toBe('elite');
  });

  test.each<[KpiName, string, boolean]>([
    ['deployment_frequency', 'per_day', false],
    ['lead_time', 'hours', true],
    ['change_failure_rate', 'ratio', false],
    ['time_to_restore', 'minutes', false],
  ])('%s has the unit %s and approximated is %s', (name, unit, approximated) => {
    expect(kpi(name, figure({ byDay: [1, null] }))).toEqual({
      value: null,
      unit,
      classification: expect.any(String),
      trend_delta: null,
      sparkline: [1, null],
      approximated,
    });
  });
});

describe('trend_delta (reading 5.6)', () => {
  test.each([
    [null, null, null],
    [null, 1, null],
    [1, null, null],
    [0, 1, null],
    [0, 0, null],
    [0, null, null],
    [2, 0, -1],
    [2, 2, 0],
    [2, 3, 0.5],
    [4, 1, -0.75],
    [0.5, 2, 3],
  ])('the delta from %d to %d is %d', (prior, current, delta) => {
    expect(kpi('lead_time', figure({ prior, current })).trend_delta).toBe(delta);
  });
});

describe('deployment_frequency', () => {
  test.each([
    // 7 days have halves of 3 and 4 days.
    [{ days: 7, priorDays: 3, currentDays: 4 }, 3, { 0: [1, 2], 2: [3, 0], 3: [2, 2] }, [10 / 7, 2, 1]],
    // 14 days have halves of 7 days.
    [{ days: 14, priorDays: 7, currentDays: 7 }, 7, { 6: [7, 0], 7: [0, 14] }, [1.5, 1, 2]],
    [{ days: 7, priorDays: 3, currentDays: 4 }, 3, {}, [0, 0, 0]],
    // A single day has no prior half.
    [{ days: 1, priorDays: 0, currentDays: 1 }, 0, { 0: [2, 1] }, [3, null, 3]],
  ] as const)('the frequency over %o is rows ÷ days', (window, middle, days, [value, prior, current]) => {
    expect(frequencyFigure(terminal(middle, days), noDays, window)).toEqual({ value, prior, current, byDay: [] });
  });

  test('the sparkline has the number of rows per day, including 0 and a day that is in both halves', () => {
    const counts = [
      ...terminal(12, { 10: [1, 2], 13: [0, 4], 99: [5, 5] }),
      { day: 12, prior: true, success: 1, failure: 1 },
      { day: 12, prior: false, success: 2, failure: 1 },
    ];
    const window = { days: 4, priorDays: 2, currentDays: 2 };
    expect(frequencyFigure(counts, [10, 11, 12, 13], window).byDay).toEqual([3, 0, 5, 4]);
  });
});

describe('change_failure_rate', () => {
  test.each<[string, readonly TerminalCount[], number | null]>([
    ['without days', [], null],
    ['on days without rows', terminal(0, { 1: [0, 0] }), null],
    ['of successes only', terminal(0, { 1: [3, 0] }), 0],
    ['of failures only', terminal(0, { 1: [0, 3] }), 1],
    ['over rows instead of days', terminal(0, { 1: [0, 1], 2: [9, 0] }), 0.1],
    ['without a finite decimal', terminal(0, { 1: [2, 1] }), 1 / 3],
  ])('the failure rate %s is failures ÷ rows', (_, counts, rate) => {
    expect(failureRate(counts)).toBe(rate);
  });

  test('the figure includes both halves and has 0 for a day without terminal rows', () => {
    const counts = terminal(3, { 1: [1, 1], 2: [2, 0], 4: [0, 2] });
    expect(failureRateFigure(counts, [1, 2, 3, 4])).toEqual({
      value: 0.5,
      prior: 0.25,
      current: 1,
      byDay: [0.5, 0, 0, 1],
    });
    expect(failureRateFigure(terminal(3, { 1: [1, 0] }), [1])).toMatchObject({ prior: 0, current: null });
    expect(failureRateFigure([], [1, 2])).toEqual({ value: null, prior: null, current: null, byDay: [0, 0] });
  });

  test('a day that is in both halves includes the rows of both', () => {
    const counts = [
      { day: 3, prior: true, success: 1, failure: 0 },
      { day: 3, prior: false, success: 0, failure: 1 },
    ];
    expect(ofDay([...counts, ...terminal(0, { 4: [1, 1] })], 3)).toEqual(counts);
    expect(failureRateFigure(counts, [3]).byDay).toEqual([0.5]);
  });
});

describe('medians', () => {
  test('medians have an entry for each day, which is null without samples and 0 if the median is 0', () => {
    const medians = {
      value: 3,
      prior: 2,
      current: null,
      isOpen: false,
      byDay: new Map([
        [5, 4],
        [7, 0],
        [99, 1],
      ]),
    };
    expect(medianFigure(medians, [4, 5, 6, 7])).toEqual({
      value: 3,
      prior: 2,
      current: null,
      byDay: [null, 4, null, 0],
    });
  });

  test.each([7, 14, 30])('medians over %i days have one sparkline entry per day', (count) => {
    const days = Array.from({ length: count }, (_, index) => 20_000 + index);
    const none = { value: null, prior: null, current: null, byDay: new Map<number, number>(), isOpen: false };
    const sparkline = Array.from({ length: count }, () => null);
    expect(kpi('lead_time', medianFigure(none, days)).sparkline).toEqual(sparkline);
  });
});

describe('duration bins (reading 5.10)', () => {
  /** The labels of the bins that contain a duration. */
  const binsOf = (minutes: number) =>
    durationBins
      .filter(({ lower_minutes, upper_minutes }) => lower_minutes <= minutes && minutes < (upper_minutes ?? Infinity))
      .map(({ label }) => label);

  test.each([
    [0, '0-10'],
    [below(10), '0-10'],
    [10, '10-20'],
    [below(20), '10-20'],
    [20, '20-30'],
    [below(30), '20-30'],
    [30, '30-60'],
    [below(60), '30-60'],
    [60, '60-120'],
    [below(120), '60-120'],
    [120, '120+'],
    [1e9, '120+'],
  ])('a duration of %d minutes is only in the bin %s', (minutes, label) => {
    expect(binsOf(minutes)).toEqual([label]);
  });

  test('there are six duration bins, in ascending order, and the last has no upper limit', () => {
    expect(durationBins.map(({ label }) => label)).toEqual(['0-10', '10-20', '20-30', '30-60', '60-120', '120+']);
    expect(durationBins[5].upper_minutes).toBeNull();
  });
});

describe('severity of incidents (reading 5.12)', () => {
  test.each([
    [0, 'low'],
    [60, 'low'],
    [beyond(60), 'medium'],
    [240, 'medium'],
    [beyond(240), 'high'],
    [1440, 'high'],
    [beyond(1440), 'critical'],
    [1e9, 'critical'],
    [null, 'critical'],
  ])('an incident of %d minutes is %s', (minutes, expected) => {
    expect(severity(minutes)).toBe(expected);
  });
});

describe('the promotion order (reading 5.11)', () => {
  test.each([
    ['dev,staging,prod', ['dev', 'staging', 'prod']],
    [' dev , staging\t,prod ', ['dev', 'staging', 'prod']],
    [',dev,,prod, ,', ['dev', 'prod']],
    ['Dev,STAGING,pRoD', ['Dev', 'STAGING', 'pRoD']],
    ['prod', ['prod']],
    ['prod,dev', ['prod', 'dev']],
    ['Europe West,Ä', ['Europe West', 'Ä']],
  ])('the promotion order %j defines the stages %j', (text, names) => {
    expect(settings.analyticsFunnelEnvironments.parse(text)).toEqual(plainStages(names));
  });

  test('the default promotion order is dev, staging, qa, preprod, prod', () => {
    const stages = plainStages(['dev', 'staging', 'qa', 'preprod', 'prod']);
    expect(settings.analyticsFunnelEnvironments.fallback).toEqual(stages);
  });

  test('environments match stages case-insensitively, and other environments have no stage', () => {
    const environments = ['DEV', 'Prod', 'dev', 'dev ', 'development', 'prod', 'qa'];
    expect(stagesOf(environments, plainStages(['dev', 'prod']))).toEqual([
      { environment: 'DEV', stage: 'dev' },
      { environment: 'Prod', stage: 'prod' },
      { environment: 'dev', stage: 'dev' },
      { environment: 'prod', stage: 'prod' },
    ]);
    expect(stagesOf(environments, [])).toEqual([]);
    expect(stagesOf([], plainStages(['dev']))).toEqual([]);
  });

  test('the conversion of a stage is the next count ÷ its count, uncapped, and null for the last stage and for a count of 0', () => {
    const counts = [
      { environment: 'prod', count: 3 },
      { environment: 'dev', count: 4 },
      { environment: 'qa', count: 2 },
      { environment: 'elsewhere', count: 9 },
    ];
    expect(funnel(['dev', 'qa', 'prod', 'edge', 'far'], counts)).toEqual([
      { environment: 'dev', count: 4, conversion: 0.5 },
      { environment: 'qa', count: 2, conversion: 1.5 },
      { environment: 'prod', count: 3, conversion: 0 },
      { environment: 'edge', count: 0, conversion: null },
      { environment: 'far', count: 0, conversion: null },
    ]);
    expect(funnel(['dev'], counts)).toEqual([{ environment: 'dev', count: 4, conversion: null }]);
    expect(funnel([], counts)).toEqual([]);
  });
});
