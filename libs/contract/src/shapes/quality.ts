import { type Static, type TOptional, Type } from 'typebox';
import { AnalyticsScope } from './analytics.ts';
import { dateTime, nullable, uuid } from './text.ts';

/** Kinds of findings about the log alone, worst first (questions.md 10.2). */
export const logFindingKinds = [
  'future',
  'late',
  'stuck',
  'unknown-parent',
  'duplicate',
  'look-alike',
  'silent',
  'unversioned',
] as const;

/** Kinds of findings about outages (outages.md 7.18). */
export const outageFindingKinds = ['resolved-before-opened', 'open-long', 'unknown-service', 'unlinked'] as const;

/**
 * Kinds of findings. `contradicted` and `unproven` are about proofs; only services that are configured for proofs have
 * them.
 */
export const findingKinds = [...logFindingKinds, 'contradicted', 'unproven', ...outageFindingKinds] as const;
export type FindingKind = (typeof findingKinds)[number];

const count = Type.Integer({ minimum: 0 });
const textOrNull = nullable(Type.String());

/** A reporter and how often it posts. Arrival times appear only in these aggregates (questions.md 10.1). */
export const Reporter = Type.Object({
  reporter: nullable(Type.String(), {
    description: 'The `X-Progress-Reporter` of its rows. Null for rows without one.',
  }),
  rows_24h: Type.Integer({ minimum: 0, description: 'The number of rows that arrived in the last 24 hours.' }),
  last_at: dateTime({ description: 'When its last row arrived.' }),
  usual_interval_minutes: nullable(Type.Number(), {
    description: 'The median of the last 100 intervals between arrivals. Null if there are fewer than three intervals.',
  }),
  silent: Type.Boolean({
    description: 'Whether its last row is older than five of its usual intervals and older than 24 hours.',
  }),
});
export type Reporter = Static<typeof Reporter>;

export const Finding = Type.Object({
  kind: Type.Enum([...findingKinds]),
  service: textOrNull,
  environment: textOrNull,
  count,
  event_id: nullable(uuid({ description: 'The id of the newest affected row.' })),
  before_reporter: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'For `late`, the number of rows in `count` that happened before the first row of their reporter arrived. These rows are history that a new reporter imported. Absent without such rows.',
    }),
  ),
  detail: Type.String({ description: 'A sentence that says what is wrong and what to do.' }),
});
export type Finding = Static<typeof Finding>;

/** Posts refused for the same reason. */
export const RefusedPosts = Type.Object({
  reason: Type.String({ description: 'The invalid field, such as `/version`, or the kind of problem.' }),
  posts: count,
});
export type RefusedPosts = Static<typeof RefusedPosts>;

export const QualityReport = Type.Object({
  generated_at: dateTime(),
  scope: Type.Optional(AnalyticsScope),
  emitters: Type.Array(Reporter, { description: 'All reporters. The scope does not apply to them.' }),
  refused: Type.Optional(
    Type.Array(RefusedPosts, {
      description:
        'The posts that were refused in the last 7 UTC days, by reason. The most frequent reason comes first. Absent if no post was refused.',
    }),
  ),
  findings: Type.Array(Finding, { description: 'The findings, ordered by kind and then by count, largest first.' }),
  counts: Type.Object(
    Object.fromEntries(findingKinds.map((kind) => [kind, Type.Optional(count)])) as Record<
      FindingKind,
      TOptional<typeof count>
    >,
    {
      description:
        'The number of findings of each kind on all pages. Kinds about outages are absent without findings. With `counts=asked`, this contains only the requested kinds.',
    },
  ),
  late_before_reporters: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'The number of findings in `counts.late` that are entirely imported history (`before_reporter` equals `count`). Absent without such findings.',
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
