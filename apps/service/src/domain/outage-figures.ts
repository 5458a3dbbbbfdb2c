import {
  type AnyEvidenceItem,
  byCodePoint,
  type FailureRule,
  failureRules,
  type Hold,
  instantKey,
  type Outage,
  type OutageReason,
  type UnlinkedReason,
  unlinkedReasons,
} from '@shiplog/contract';
import { grouped } from '@shiplog/text';
import { dayMs, daysOf, type Window } from './analytics-window.ts';
import { failureRateFigure, kpi, type Medians, medianFigure, type TerminalCount } from './kpi.ts';
import { microsOf } from './micros.ts';
import { type Success, withinScope } from './outages.ts';
import type { Scope } from './scope.ts';

/** A release that a rollback undid. */
export interface UndoneRelease {
  readonly version: string | null;
  readonly sha: string | null;
}

/** The success that a rollback replaced. */
export interface RolledBack extends Success {
  /** The row of the rollback. */
  readonly rollback_id: string;
  /** Newest first. */
  readonly undone: readonly UndoneRelease[];
}

/** The last success of a bad version before it was marked. */
export interface MarkedBad extends Success {
  readonly hold_id: Hold['id'];
}

/** A linked outage, with what its figures need. */
export interface KnownOutage {
  readonly outage: Outage;
  readonly openedMicros: bigint;
  /** The UTC day of the opening since 1970. */
  readonly day: number;
  /** From the newest linked deployment to the opening; `null` without one. */
  readonly detectMinutes: number | null;
}

export function knownOutage(outage: Outage): KnownOutage {
  const openedMicros = microsOf(outage.opened_at);
  const [link] = outage.links;
  const detectMinutes = link ? Number(openedMicros - microsOf(link.at)) / 60_000_000 : null;
  return { outage, openedMicros, day: dayOf(openedMicros), detectMinutes };
}

/** A success that failed, or that is suspected. */
export interface FailedRow extends Success {
  readonly micros: bigint;
  /** The first rule that applies. */
  readonly rule: FailureRule;
  readonly outages: readonly Pick<Outage, 'source' | 'outage_id'>[];
  readonly holds: readonly string[];
  readonly undone: readonly UndoneRelease[];
  readonly rollback_id: string | undefined;
}

type FailedRows = ReadonlyMap<string, FailedRow>;

/** The rows that outages are linked to, by their id. */
export function rowsOfOutages(outages: readonly KnownOutage[]): FailedRows {
  const rows = new Map<string, FailedRow>();
  for (const { outage } of outages) {
    const { source, outage_id } = outage;
    for (const { event_id: id, rule, ...link } of outage.links) {
      add(rows, { id, ...link }, rule, (row) => ({ outages: [...row.outages, { source, outage_id }] }));
    }
  }
  return rows;
}

/** Adds the successes that failed for another reason (outages.md 2) to the rows of outages. */
export function failedRows(
  ofOutages: FailedRows,
  { rolledBack, markedBad }: { readonly rolledBack: readonly RolledBack[]; readonly markedBad: readonly MarkedBad[] },
): FailedRows {
  const rows = new Map(ofOutages);
  for (const { undone, rollback_id, ...row } of rolledBack) {
    add(rows, row, 'rolled-back', () => ({ undone, rollback_id }));
  }
  for (const { hold_id, ...row } of markedBad) {
    add(rows, row, 'marked-bad', ({ holds }) => ({ holds: [...holds, hold_id] }));
  }
  return rows;
}

function add(
  rows: Map<string, FailedRow>,
  { id, service, environment, deployment_id, at }: Success,
  rule: FailureRule,
  more: (row: FailedRow) => Partial<FailedRow>,
): void {
  const none = { outages: [], holds: [], undone: [], rollback_id: undefined };
  const row = rows.get(id) ?? { id, service, environment, deployment_id, at, micros: microsOf(at), rule, ...none };
  const first = failureRules.indexOf(rule) < failureRules.indexOf(row.rule) ? rule : row.rule;
  rows.set(id, { ...row, rule: first, ...more(row) });
}

/** What a question about the figures covers. */
export interface OutageQuestion {
  readonly window: Window;
  readonly scope: Scope | undefined;
  /** The last environments of the promotion order. */
  readonly lastEnvironments: readonly string[];
  /** Whether suspected deployments count as failed. */
  readonly countsSuspected: boolean;
}

/** Whether an instant, in microseconds since 1970, lies in a window. */
export function within({ fromInstant, toInstant }: Window): (micros: bigint) => boolean {
  const [from, to] = [microsOf(fromInstant), microsOf(toInstant)];
  return (micros) => micros >= from && micros < to;
}

export function isFailed({ rule }: Pick<FailedRow, 'rule'>, { countsSuspected }: OutageQuestion): boolean {
  return countsSuspected || rule !== 'suspected';
}

/** The failed rows that the rate counts: those of the last environments in the window and the scope. */
export function countedFailures(rows: Iterable<FailedRow>, question: OutageQuestion): FailedRow[] {
  const { window, scope, lastEnvironments } = question;
  const isInScope = withinScope(scope);
  const isWithin = within(window);
  return [...rows].filter(
    (row) =>
      isWithin(row.micros) &&
      isFailed(row, question) &&
      lastEnvironments.includes(row.environment) &&
      isInScope({ services: [row.service], environments: [row.environment] }),
  );
}

/** The successes of one day in one half. */
export type SuccessCount = Pick<TerminalCount, 'day' | 'prior' | 'success'>;

export interface OutageRows {
  /** The successes of the last environments in the window and the scope. */
  readonly successes: readonly SuccessCount[];
  /** `countedFailures`. */
  readonly failures: readonly FailedRow[];
  /** The outages that opened in the window and are in scope. */
  readonly outages: readonly KnownOutage[];
}

/** The three figures (outages.md 3 and 7.13). */
export function observedKpis({ successes, failures, outages }: OutageRows, question: OutageQuestion) {
  const { window } = question;
  const days = daysOf(window);
  const counts = [
    ...successes.map((count) => ({ ...count, failure: 0 })),
    ...countedBy(failures, window).map(({ count, ...part }) => ({ ...part, success: -count, failure: count })),
  ];
  const isOpen = outages.some(({ outage }) => outage.state === 'open');
  const restore = mediansOf(outages.map(restoreOf), window);
  const detect = mediansOf(
    outages.map((outage) => detectOf(outage, question)),
    window,
  );
  const approximated = true;
  return {
    change_failure_rate_observed: {
      ...kpi('change_failure_rate', failureRateFigure(counts, days)),
      approximated,
    },
    time_to_restore_observed: {
      ...kpi('time_to_restore', medianFigure(restore, days), isOpen ? 'low' : 'elite'),
      approximated,
    },
    time_to_detect: {
      ...kpi('time_to_restore', medianFigure(detect, days)),
      classification: null,
      approximated,
    },
  };
}

/** How many rows there are on each day of each half. */
function countedBy(rows: readonly FailedRow[], window: Window) {
  const byPart = grouped(
    rows.map(({ micros }) => partOf(micros, window)),
    ({ day, prior }) => `${day} ${prior}`,
  );
  return [...byPart.values()].flatMap(([part, ...more]) => (part ? [{ ...part, count: more.length + 1 }] : []));
}

function dayOf(micros: bigint): number {
  return Number(micros / BigInt(dayMs * 1000));
}

function partOf(micros: bigint, { middle }: Window): Pick<TerminalCount, 'day' | 'prior'> {
  return { day: dayOf(micros), prior: micros < BigInt(middle) * 1000n };
}

/** What an outage contributes to a figure: minutes, or the reason why it is left out. */
export interface OutageSample extends KnownOutage {
  readonly value: number | null;
  readonly reason: OutageReason | null;
}

/** The minutes that an outage was open (outages.md 3.2 and 7.17). */
export function restoreOf(known: KnownOutage): OutageSample {
  const { state, minutes } = known.outage;
  const reason = state !== 'resolved' ? state : minutes === null ? 'not-opened' : null;
  return { ...known, value: reason === null ? minutes : null, reason };
}

/** The minutes from the newest linked deployment to the opening (outages.md 3.3, 7.15 and 7.17). */
export function detectOf(known: KnownOutage, question: OutageQuestion): OutageSample {
  const { outage, detectMinutes } = known;
  const [link] = outage.links;
  if (!link || detectMinutes === null) return { ...known, value: null, reason: outage.reason };
  if (!isFailed(link, question)) return { ...known, value: null, reason: 'suspected' };
  return { ...known, value: detectMinutes, reason: detectMinutes > 0 ? null : 'not-positive' };
}

function mediansOf(samples: readonly OutageSample[], { middle }: Window): Medians {
  const middleMicros = BigInt(middle) * 1000n;
  const counted = samples.flatMap(({ openedMicros, day, value, reason }) =>
    value === null || reason !== null ? [] : [{ day, prior: openedMicros < middleMicros, value }],
  );
  const median = (some: typeof counted) => medianOf(some.map(({ value }) => value));
  const byDay = grouped<(typeof counted)[number], number>(counted, ({ day }) => day);
  return {
    value: median(counted),
    prior: median(counted.filter(({ prior }) => prior)),
    current: median(counted.filter(({ prior }) => !prior)),
    byDay: new Map([...byDay].map(([day, own]) => [day, median(own) ?? 0])),
    isOpen: false,
  };
}

/** For an even count the mean of the middle two values (reading 5.10). */
export function medianOf(values: readonly number[]): number | null {
  const sorted = new Float64Array(values).sort();
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The outages of a period by what is known of their cause (outages.md 7.14). */
export function outageCounts(outages: readonly KnownOutage[]) {
  const byCause = grouped<KnownOutage, FailureRule | UnlinkedReason | null>(
    outages,
    ({ outage }) => outage.links[0]?.rule ?? outage.reason,
  );
  const count = (cause: FailureRule | UnlinkedReason) => byCause.get(cause)?.length ?? 0;
  return {
    count: outages.length,
    linked: count('named'),
    suspected: count('suspected'),
    unlinked: unlinkedReasons.map((reason) => ({ reason, count: count(reason) })).filter(({ count }) => count > 0),
  };
}

/** The evidence item of a time to restore or to detect (outages.md 7.17). */
export function outageItem({ outage, value, reason }: OutageSample): AnyEvidenceItem {
  const { source, outage_id, opened_at, links } = outage;
  const [link] = links;
  return {
    service: link?.service ?? null,
    environment: link?.environment ?? null,
    deployment_id: link?.deployment_id ?? null,
    at: opened_at,
    value,
    counted: reason === null,
    reason,
    event_ids: link ? [link.event_id] : [],
    outage: { source, outage_id },
  };
}

type OpenedOutage = Pick<Outage, 'source' | 'outage_id' | 'opened_at'>;

/** Newest first, then by source and id. */
export function byOpening(one: OpenedOutage, other: OpenedOutage): number {
  const [left, right] = [instantKey(one.opened_at), instantKey(other.opened_at)];
  if (left !== right) return left < right ? 1 : -1;
  return byCodePoint(one.source, other.source) || byCodePoint(one.outage_id, other.outage_id);
}
