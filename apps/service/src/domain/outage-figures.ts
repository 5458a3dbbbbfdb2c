import {
  type AnyEvidenceItem,
  byCodePoint,
  type FailureRule,
  failureRules,
  type Hold,
  instantKey,
  type Outage,
  type OutageReason,
  unlinkedReasons,
} from '@shiplog/contract';
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

/** What is known against the successes of a log (outages.md 2). */
export interface Failures {
  /** Outages with their links. */
  readonly outages: readonly Outage[];
  readonly rolledBack: readonly RolledBack[];
  readonly markedBad: readonly MarkedBad[];
}

/** A success that failed, or that is suspected. */
export interface FailedRow extends Success {
  /** The first rule that applies. */
  readonly rule: FailureRule;
  readonly outages: readonly Pick<Outage, 'source' | 'outage_id'>[];
  readonly holds: readonly string[];
  readonly undone: readonly UndoneRelease[];
  readonly rollback_id: string | undefined;
}

/** The rows that failed or are suspected, each once, by their id. */
export function failedRows({ outages, rolledBack, markedBad }: Failures): ReadonlyMap<string, FailedRow> {
  const rows = new Map<string, FailedRow>();
  const add = (success: Success, rule: FailureRule, more: (row: FailedRow) => Partial<FailedRow>) => {
    const { id, service, environment, deployment_id, at } = success;
    const none = { outages: [], holds: [], undone: [], rollback_id: undefined };
    const row = rows.get(id) ?? { id, service, environment, deployment_id, at, rule, ...none };
    const first = failureRules.indexOf(rule) < failureRules.indexOf(row.rule) ? rule : row.rule;
    rows.set(id, { ...row, rule: first, ...more(row) });
  };
  for (const { source, outage_id, links } of outages) {
    for (const { event_id: id, rule, ...link } of links) {
      add({ id, ...link }, rule, (row) => ({ outages: [...row.outages, { source, outage_id }] }));
    }
  }
  for (const { undone, rollback_id, ...row } of rolledBack) add(row, 'rolled-back', () => ({ undone, rollback_id }));
  for (const { hold_id, ...row } of markedBad) add(row, 'marked-bad', ({ holds }) => ({ holds: [...holds, hold_id] }));
  return rows;
}

/** Which of the figures' parts a question is about. */
export interface OutageQuestion {
  readonly window: Window;
  readonly scope: Scope | undefined;
  /** The last environments of the promotion order. */
  readonly lastEnvironments: readonly string[];
  /** Whether suspected deployments count as failed. */
  readonly countsSuspected: boolean;
}

/** Whether an instant lies in a window. */
export function isWithin(at: string, { fromInstant, toInstant }: Window): boolean {
  const key = instantKey(at);
  return key >= instantKey(fromInstant) && key < instantKey(toInstant);
}

export function isFailed({ rule }: Pick<FailedRow, 'rule'>, { countsSuspected }: OutageQuestion): boolean {
  return countsSuspected || rule !== 'suspected';
}

/** The failed rows that the rate counts: those of the last environments in the window and the scope. */
export function countedFailures(rows: Iterable<FailedRow>, question: OutageQuestion): FailedRow[] {
  const { window, scope, lastEnvironments } = question;
  const isInScope = withinScope(scope);
  return [...rows].filter(
    (row) =>
      isFailed(row, question) &&
      lastEnvironments.includes(row.environment) &&
      isInScope({ services: [row.service], environments: [row.environment] }) &&
      isWithin(row.at, window),
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
  readonly outages: readonly Outage[];
}

/** The three figures (outages.md 3 and 7.13). */
export function observedKpis({ successes, failures, outages }: OutageRows, question: OutageQuestion) {
  const { window } = question;
  const days = daysOf(window);
  const counts = [
    ...successes.map((count) => ({ ...count, failure: 0 })),
    ...failures.map(({ at }) => ({ ...partOf(at, window), success: -1, failure: 1 })),
  ];
  const isOpen = outages.some(({ state }) => state === 'open');
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

function partOf(at: string, { middle }: Window): Pick<TerminalCount, 'day' | 'prior'> {
  const micros = microsOf(at);
  return { day: Number(micros / BigInt(dayMs * 1000)), prior: micros < BigInt(middle) * 1000n };
}

/** What an outage contributes to a figure: minutes, or the reason why it is left out. */
export interface OutageSample {
  readonly outage: Outage;
  readonly value: number | null;
  readonly reason: OutageReason | null;
}

/** The minutes that an outage was open (outages.md 3.2 and 7.17). */
export function restoreOf(outage: Outage): OutageSample {
  const { state, minutes } = outage;
  if (state !== 'resolved') return { outage, value: null, reason: state };
  return minutes === null ? { outage, value: null, reason: 'not-opened' } : { outage, value: minutes, reason: null };
}

/** The minutes from the newest linked deployment to the opening (outages.md 3.3, 7.15 and 7.17). */
export function detectOf(outage: Outage, question: OutageQuestion): OutageSample {
  const { links, reason } = outage;
  const [link] = links;
  if (!link) return { outage, value: null, reason };
  if (!isFailed(link, question)) return { outage, value: null, reason: 'suspected' };
  const minutes = Number(microsOf(outage.opened_at) - microsOf(link.at)) / 60_000_000;
  return minutes > 0 ? { outage, value: minutes, reason: null } : { outage, value: minutes, reason: 'not-positive' };
}

function mediansOf(samples: readonly OutageSample[], window: Window): Medians {
  const counted = samples.flatMap(({ outage, value, reason }) =>
    value === null || reason !== null ? [] : [{ ...partOf(outage.opened_at, window), value }],
  );
  const median = (some: typeof counted) => medianOf(some.map(({ value }) => value));
  const days = new Set(counted.map(({ day }) => day));
  return {
    value: median(counted),
    prior: median(counted.filter(({ prior }) => prior)),
    current: median(counted.filter(({ prior }) => !prior)),
    byDay: new Map([...days].map((day) => [day, median(counted.filter((each) => each.day === day)) ?? 0])),
    isOpen: false,
  };
}

/** For an even count the mean of the middle two values (reading 5.10). */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The outages of a period by what is known of their cause (outages.md 7.14). */
export function outageCounts(outages: readonly Outage[]) {
  const linkedBy = (rule: FailureRule) => outages.filter(({ links }) => links[0]?.rule === rule).length;
  const because = (reason: (typeof unlinkedReasons)[number]) => outages.filter((each) => each.reason === reason).length;
  return {
    count: outages.length,
    linked: linkedBy('named'),
    suspected: linkedBy('suspected'),
    unlinked: unlinkedReasons.map((reason) => ({ reason, count: because(reason) })).filter(({ count }) => count > 0),
  };
}

/** The evidence of a time, newest first (outages.md 7.17). */
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
