import { type Static, type TOptional, Type } from 'typebox';
import { AnalyticsScope } from './analytics.ts';
import { dateTime, nullable, uuid } from './text.ts';

/** Kinds of findings, worst first (questions.md 10.2). */
export const findingKinds = [
  'future',
  'late',
  'stuck',
  'unknown-parent',
  'duplicate',
  'look-alike',
  'silent',
  'unversioned',
] as const;
export type FindingKind = (typeof findingKinds)[number];

const count = Type.Integer({ minimum: 0 });
const textOrNull = nullable(Type.String());

/** A reporter and how often it posts. Arrival times appear only in these aggregates (questions.md 10.1). */
export const Reporter = Type.Object({
  reporter: nullable(Type.String(), { description: '`X-Progress-Reporter`; null for the rows without one.' }),
  rows_24h: Type.Integer({ minimum: 0, description: 'Rows that arrived in the last 24 hours.' }),
  last_at: dateTime({ description: 'When its last row arrived.' }),
  usual_interval_minutes: nullable(Type.Number(), {
    description: 'Median of the last 100 intervals between arrivals; null with fewer than three.',
  }),
  silent: Type.Boolean({ description: 'Its last row is older than five of its usual intervals and than 24 hours.' }),
});
export type Reporter = Static<typeof Reporter>;

export const Finding = Type.Object({
  kind: Type.Enum([...findingKinds]),
  service: textOrNull,
  environment: textOrNull,
  count,
  event_id: nullable(uuid({ description: 'The newest affected row.' })),
  before_reporter: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'For `late`: how many of `count` happened before the first row of their reporter arrived, that is, history imported by a new reporter. Absent if none.',
    }),
  ),
  detail: Type.String({ description: 'What is wrong and what to do, in a sentence.' }),
});
export type Finding = Static<typeof Finding>;

/** Posts refused for the same reason. */
export const RefusedPosts = Type.Object({
  reason: Type.String({ description: 'The invalid member, such as `/version`, or the kind of problem.' }),
  posts: count,
});
export type RefusedPosts = Static<typeof RefusedPosts>;

export const QualityReport = Type.Object({
  generated_at: dateTime(),
  scope: Type.Optional(AnalyticsScope),
  emitters: Type.Array(Reporter, { description: 'All reporters, regardless of the scope.' }),
  refused: Type.Optional(
    Type.Array(RefusedPosts, {
      description: 'Refused posts of the last 7 UTC days, most frequent first; absent if none.',
    }),
  ),
  findings: Type.Array(Finding, { description: 'In the order of the kinds, then by count, largest first.' }),
  counts: Type.Object(
    Object.fromEntries(findingKinds.map((kind) => [kind, Type.Optional(count)])) as Record<
      FindingKind,
      TOptional<typeof count>
    >,
    { description: 'Findings of each kind on all pages; only of the requested kinds with `counts=asked`.' },
  ),
  late_before_reporters: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'How many findings in `counts.late` are entirely imported history (`before_reporter` equals `count`). Absent if none.',
    }),
  ),
  next_cursor: textOrNull,
});
export type QualityReport = Static<typeof QualityReport>;

/**
 * A quality report that excludes history imported by new reporters. Such rows have old dates, but no post was delayed
 * (questions.md 12.10).
 */
export function withoutHistory({ late_before_reporters: only = 0, ...report }: QualityReport): QualityReport {
  const { late } = report.counts;
  const counts = late === undefined ? report.counts : { ...report.counts, late: late - only };
  return { ...report, findings: findingsWithoutHistory(report.findings), counts };
}

export function findingsWithoutHistory<Each extends Pick<Finding, 'count' | 'before_reporter'>>(
  findings: readonly Each[],
) {
  return findings.flatMap(({ before_reporter: history = 0, ...finding }) =>
    finding.count > history ? { ...finding, count: finding.count - history } : [],
  );
}
