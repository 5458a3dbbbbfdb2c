import type { DeploymentEvent, MatrixRow, Outage } from '@shiplog/contract';
import { isEffective, msOf } from './board.ts';
import { type Box, boxIn, eventShown, eventsOf, isToStart, runningIn, type SlotBox } from './box.ts';
import type { BoardContext } from './context.ts';
import { type Facts, factsIn } from './facts.ts';
import { memoizeLast, memoizePer, memoizePerRow } from './memoize.ts';
import type { Notices } from './notices.ts';
import { causeText, outageTitle } from './open-outages.ts';

/** What can need attention, most urgent first. */
export const attentionKinds = ['outage', 'failed', 'bad', 'stuck', 'slow', 'waits', 'ahead', 'silent'] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export interface Attention {
  readonly kind: AttentionKind;
  /** For `silent`, the name of the reporter; '' = a reporter without a name. */
  readonly service: string;
  /** `undefined` for `silent`. */
  readonly environment: string | undefined;
  readonly box: Box | undefined;
  /** When the problem began, in ms since the epoch; for `ahead`, the time until which the event hides newer ones. */
  readonly sinceMs: number;
  readonly isProduction: boolean;
  /** How long a deployment usually runs (`stuck`, `slow`), or the usual interval between two rows (`silent`). */
  readonly usualMinutes: number | undefined;
  /** For `bad`, who marked the version and why; for `outage`, its title. */
  readonly text?: string | undefined;
  /** For `outage`, the suspected deployment. */
  readonly cause?: string | undefined;
}

const minuteMs = 60_000;
const waitsAfterMs = 60 * minuteMs;
const futureByMs = 5 * minuteMs;

/** An item and the period in which it needs attention. */
interface Due {
  readonly attention: Attention;
  readonly kindIndex: number;
  /** A greater rank is nearer to production. */
  readonly rank: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * What needs attention, in order: open outages, failed in production, failed elsewhere, bad versions in production,
 * stuck, slow, waits, ahead, silent. Within a kind, nearest to production first, then newest. Each slot appears once, a
 * failed one as failed. Unchanged rows are not computed again.
 */
export function attentionOf(
  rows: readonly MatrixRow[],
  columns: readonly string[],
  context: BoardContext,
  nowMs: number,
): readonly Attention[] {
  return attentionIn(columns)(rows, context, nowMs);
}

/** For each service, the index of its most urgent item. Leaves out reporters. */
export function urgencyOf(items: readonly Attention[]): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const [index, { service, environment }] of items.entries()) {
    if (environment !== undefined && !ranks.has(service)) ranks.set(service, index);
  }
  return ranks;
}

const newMs = 24 * 60 * minuteMs;

/** Whether an item began in the last 24 hours. */
export function isRecent({ sinceMs }: Attention, nowMs: number): boolean {
  return nowMs - sinceMs < newMs;
}

/** The key under which the viewer hides an item. It changes with the item. */
export function hiddenKey({ kind, service, environment, box, sinceMs }: Attention): string {
  return JSON.stringify([kind, service, environment, box ? eventShown(box).id : sinceMs]);
}

/** Allocates no memory per comparison, because thousands of items may be sorted. */
function byUrgency(left: Due, right: Due): number {
  const { attention: one } = left;
  const { attention: other } = right;
  return (
    left.kindIndex - right.kindIndex ||
    Number(other.isProduction) - Number(one.isProduction) ||
    right.rank - left.rank ||
    other.sinceMs - one.sinceMs
  );
}

/** A deployment that is stuck or slow. */
export type Lag = Pick<Attention, 'kind' | 'sinceMs' | 'usualMinutes' | 'box'>;

/** A deployment that waits for approval isn't stuck. After newer events, the facts no longer hold. */
export function lagIn({ service, environment, box }: SlotBox, facts: Facts): Lag | undefined {
  const place = factsIn(facts, service, environment);
  if (!place || box.tone === 'bad') return undefined;
  const { stuck, slow, usual } = place;
  const newer = eventsOf(box).filter(({ id }) => id > facts.position);
  if (newer.some(isEffective)) return undefined;
  if (stuck && stuck.status !== 'waiting' && newer.every(({ deployment_id }) => deployment_id !== stuck.deployment_id))
    return { kind: 'stuck', sinceMs: Date.parse(stuck.since), usualMinutes: usual?.p50, box };
  if (!slow || box.tone !== 'run') return undefined;
  return { kind: 'slow', sinceMs: Date.parse(slow.since), usualMinutes: slow.usual_minutes, box };
}

const attentionIn = memoizePer((columns: readonly string[]) => {
  const duesOf = duesIn(columns);
  return memoizeLast((rows: readonly MatrixRow[], context: BoardContext, nowMs: number) => {
    const isDue = ({ fromMs, untilMs }: Due) => fromMs <= nowMs && nowMs < untilMs;
    const slots = rows.map(duesOf(context)).flatMap((row) => row.flatMap((slot) => slot.find(isDue) ?? []));
    return [...slots, ...silentOf(context.facts)].sort(byUrgency).map(({ attention }) => attention);
  });
});

/** For each row, the slots that may need attention, with their reasons in order. */
function duesIn(columns: readonly string[]) {
  return memoizeLast((context: BoardContext) => {
    const { all, ofEnvironment, production } = context.stages;
    const rank = (environment: string) => {
      const stage = ofEnvironment.get(environment);
      return stage ? all.indexOf(stage) : -1;
    };
    return memoizePerRow((row) =>
      columns.flatMap((environment) => {
        const box = boxIn(row, environment, context.futureRows);
        if (!box) return [];
        const { service } = row;
        const isProduction = production.has(environment);
        const slot = { service, environment, box };
        const noted = notedIn(slot, isProduction, context.notices);
        if (noted.length === 0 && isAtRest(box)) return [];
        const reasons = reasonsOf(slot, context.facts, noted);
        if (reasons.length === 0) return [];
        const due = ({ fromMs = -Infinity, untilMs = Infinity, usualMinutes, ...reason }: Reason): Due => ({
          attention: { service, environment, box, isProduction, usualMinutes, ...reason },
          kindIndex: attentionKinds.indexOf(reason.kind),
          rank: rank(environment),
          fromMs,
          untilMs,
        });
        return [reasons.map(due)];
      }),
    );
  });
}

/** Whether the slot can't need attention, as is true for most slots. */
function isAtRest({ tone, next, isInFuture }: Box): boolean {
  return (tone === 'ok' || tone === 'off') && !next && !isInFuture;
}

/** An open outage of the slot, and in production a version that is marked as bad (holds.md 4.3). */
export function notedIn(slot: SlotBox, isProduction: boolean, { ofSlot, outageIn }: Notices): readonly Reason[] {
  const { service, environment, box } = slot;
  const outage = outageIn(service, environment, isProduction);
  const mark = isProduction ? ofSlot(service, environment, runningIn(box)) : undefined;
  return [
    ...(outage ? [outageReason(outage, box)] : []),
    ...(mark?.kind === 'bad' ? [{ ...mark, kind: mark.kind }] : []),
  ];
}

export function outageReason(outage: Outage, box: Box): Reason {
  const text = outageTitle(outage);
  return { kind: 'outage', sinceMs: Date.parse(outage.opened_at), text, cause: causeText(outage, eventsOf(box)) };
}

interface Reason {
  readonly kind: AttentionKind;
  readonly sinceMs: number;
  readonly usualMinutes?: number | undefined;
  readonly text?: string;
  readonly cause?: string;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

function reasonsOf(slot: SlotBox, facts: Facts, noted: readonly Reason[]): readonly Reason[] {
  const { box } = slot;
  if (box.tone === 'bad') return [{ kind: 'failed', sinceMs: msOf(eventShown(box)) }];
  const lag = lagIn(slot, facts);
  const waiting = waitingIn(box);
  return [
    ...noted,
    ...(lag ? [lag] : []),
    ...(waiting ? [waitsOf(waiting, box)] : []),
    ...(box.isInFuture
      ? [{ kind: 'ahead' as const, sinceMs: msOf(box.named), untilMs: msOf(box.named) - (box.hidden ? 0 : futureByMs) }]
      : []),
  ];
}

/** A first deployment that waits for approval needs attention at once, any other deployment after an hour. */
function waitsOf(event: DeploymentEvent, { tone }: Box): Reason {
  const sinceMs = msOf(event);
  const isHeld = tone === 'wait' && event.status === 'waiting';
  return { kind: 'waits', sinceMs, fromMs: isHeld ? sinceMs : sinceMs + waitsAfterMs };
}

function waitingIn(box: Box): DeploymentEvent | undefined {
  const shown = box.tone === 'run' || box.tone === 'wait' ? [eventShown(box)] : [];
  return [...shown, ...(box.next ? [box.next] : [])].find(
    (event) => event.status === 'waiting' || (box.tone === 'wait' && isToStart(event)),
  );
}

function silentOf({ silent }: Facts): readonly Due[] {
  return silent.map(({ reporter, last_at, usual_interval_minutes }) => ({
    attention: {
      kind: 'silent',
      service: reporter ?? '',
      environment: undefined,
      box: undefined,
      sinceMs: Date.parse(last_at),
      isProduction: false,
      usualMinutes: usual_interval_minutes ?? undefined,
    },
    kindIndex: attentionKinds.indexOf('silent'),
    rank: 0,
    fromMs: -Infinity,
    untilMs: Infinity,
  }));
}
