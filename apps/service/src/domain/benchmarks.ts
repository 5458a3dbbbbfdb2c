import type { BenchmarkGroup, BenchmarksReport } from '@shiplog/contract';

/** A range in words, and its bounds in the unit of the metric. `null` means no bound. */
type Benchmark = BenchmarkGroup['lead_time'];

function between(text: string, from: number | null, to: number | null): Benchmark {
  return { text, from, to };
}

const [day, week, month, halfYear] = [24, 7 * 24, 30 * 24, 180 * 24];

/** Deployments per day. */
const frequency = {
  onDemand: between('on demand', null, null),
  severalADay: between('several times a day', 1, null),
  dayToWeek: between('between once a day and once a week', 1 / 7, 1),
  weekToMonth: between('between once a week and once a month', 1 / 30, 1 / 7),
  monthToHalfYear: between('between once a month and once every 6 months', 1 / 180, 1 / 30),
};

/** Hours. */
const lead = {
  underADay: between('less than a day', 0, day),
  dayToWeek: between('between a day and a week', day, week),
  weekToMonth: between('between a week and a month', week, month),
  monthToHalfYear: between('between a month and 6 months', month, halfYear),
};

/** Minutes. */
const restore = {
  underAnHour: between('less than an hour', 0, 60),
  underADay: between('less than a day', 0, 60 * day),
  dayToWeek: between('between a day and a week', 60 * day, 60 * week),
  weekToMonth: between('between a week and a month', 60 * week, 60 * month),
  monthToHalfYear: between('between a month and 6 months', 60 * month, 60 * halfYear),
};

function failures(from: number, to = from): Benchmark {
  const text = from === to ? `${from} %` : `${from} to ${to} %`;
  return between(text, from / 100, to / 100);
}

function group(
  deployment_frequency: Benchmark,
  lead_time: Benchmark,
  change_failure_rate: Benchmark,
  time_to_restore: Benchmark,
): BenchmarkGroup {
  return { deployment_frequency, lead_time, change_failure_rate, time_to_restore };
}

const sourceOf = (year: number) => `Accelerate State of DevOps Report ${year}, DORA`;

/** See questions.md 13. */
export const benchmarks: BenchmarksReport = {
  years: [
    {
      year: 2022,
      source: sourceOf(2022),
      groups: {
        elite: null,
        high: group(frequency.severalADay, lead.dayToWeek, failures(0, 15), restore.underADay),
        medium: group(frequency.weekToMonth, lead.weekToMonth, failures(16, 30), restore.dayToWeek),
        low: group(frequency.monthToHalfYear, lead.monthToHalfYear, failures(46, 60), restore.weekToMonth),
      },
      share: { elite: null, high: null, medium: null, low: null },
    },
    {
      year: 2023,
      source: sourceOf(2023),
      groups: {
        elite: group(frequency.onDemand, lead.underADay, failures(5), restore.underAnHour),
        high: group(frequency.dayToWeek, lead.dayToWeek, failures(10), restore.underADay),
        medium: group(frequency.weekToMonth, lead.weekToMonth, failures(15), restore.dayToWeek),
        low: group(frequency.weekToMonth, lead.weekToMonth, failures(64), restore.monthToHalfYear),
      },
      share: { elite: 0.18, high: 0.31, medium: 0.33, low: 0.18 },
    },
    {
      year: 2024,
      source: sourceOf(2024),
      groups: {
        elite: group(frequency.onDemand, lead.underADay, failures(5), restore.underAnHour),
        high: group(frequency.dayToWeek, lead.dayToWeek, failures(20), restore.underADay),
        medium: group(frequency.weekToMonth, lead.weekToMonth, failures(10), restore.underADay),
        low: group(frequency.monthToHalfYear, lead.monthToHalfYear, failures(40), restore.weekToMonth),
      },
      share: { elite: 0.19, high: 0.22, medium: 0.35, low: 0.25 },
    },
  ],
  note: [
    "These figures describe clusters in each year's survey responses; they are not a standard.",
    'The clusters of 2024 are not in order: high fails more often than medium. From 2025 there are no such groups.',
    'The change failure rate here counts failed deployments, not failed changes, and the lead time here starts at the first event of a promotion chain, not at the commit.',
  ].join(' '),
};
