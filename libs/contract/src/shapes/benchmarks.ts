import { type Static, Type } from 'typebox';
import { nullable } from './text.ts';

const numberOrNull = nullable(Type.Number());

/** A group's result for one metric, in words and, if numeric, as bounds. */
const Benchmark = Type.Object({
  text: Type.String({ examples: ['between once a day and once a week'] }),
  from: numberOrNull,
  to: numberOrNull,
});

const BenchmarkGroup = Type.Object(
  {
    deployment_frequency: Benchmark,
    lead_time: Benchmark,
    change_failure_rate: Benchmark,
    time_to_restore: Benchmark,
  },
  { description: 'The bounds are in the units of the metrics: per day, hours, ratio and minutes.' },
);
export type BenchmarkGroup = Static<typeof BenchmarkGroup>;

const groupOrNull = nullable(BenchmarkGroup);

/** Clusters in DORA's survey responses, by year (questions.md 13). */
export const BenchmarksReport = Type.Object({
  years: Type.Array(
    Type.Object({
      year: Type.Integer({ examples: [2024] }),
      source: Type.String(),
      groups: Type.Object(
        { elite: groupOrNull, high: groupOrNull, medium: groupOrNull, low: groupOrNull },
        { description: 'The results of each group. Null if the year has no such group.' },
      ),
      share: Type.Object(
        { elite: numberOrNull, high: numberOrNull, medium: numberOrNull, low: numberOrNull },
        { description: 'The share of the responses in each group. Null if it was not published.' },
      ),
    }),
  ),
  note: Type.String(),
});
export type BenchmarksReport = Static<typeof BenchmarksReport>;
