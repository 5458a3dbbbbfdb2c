import { type Static, Type } from 'typebox';

const bound = Type.Union([Type.Number(), Type.Null()]);

/** What a group reached in one metric: in words and, if numeric, as bounds. */
const Benchmark = Type.Object({
  text: Type.String({ examples: ['between once a day and once a week'] }),
  from: bound,
  to: bound,
});

const BenchmarkGroup = Type.Object(
  {
    deployment_frequency: Benchmark,
    lead_time: Benchmark,
    change_failure_rate: Benchmark,
    time_to_restore: Benchmark,
  },
  { description: 'Bounds are in the units of the metrics: per day, hours, ratio, minutes.' },
);
export type BenchmarkGroup = Static<typeof BenchmarkGroup>;

const orNull = Type.Union([BenchmarkGroup, Type.Null()]);
const share = Type.Union([Type.Number(), Type.Null()]);

/** Clusters in DORA's survey responses, by year (questions.md 13). */
export const BenchmarksReport = Type.Object({
  years: Type.Array(
    Type.Object({
      year: Type.Integer({ examples: [2024] }),
      source: Type.String(),
      groups: Type.Object(
        { elite: orNull, high: orNull, medium: orNull, low: orNull },
        { description: 'Null if the year has no such group.' },
      ),
      share: Type.Object(
        { elite: share, high: share, medium: share, low: share },
        { description: 'Share of the responses in each group; null if not published.' },
      ),
    }),
  ),
  note: Type.String(),
});
export type BenchmarksReport = Static<typeof BenchmarksReport>;
