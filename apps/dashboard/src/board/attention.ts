import { type DeploymentEvent, type MatrixRow, type Status, stageStatuses } from '@shiplog/contract';
import type { AttentionFacts, SilentReporter } from './attention-facts.ts';
import { type Box, boxIn, eventShown } from './box.ts';
import { stageRank } from './columns.ts';
import type { BoardContext } from './context.ts';
import { memoizeLast, memoizePerRow } from './memoize.ts';
import { slotKey } from './slot.ts';

/** What can need somebody, in order. */
export const attentionKinds = ['failed', 'stuck', 'slow', 'waits', 'ahead', 'silent'] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** One thing that needs somebody: a slot, or an emitter. */
export interface Attention {
  readonly kind: AttentionKind;
  /** Of `silent`: the emitter, '' = without a name. */
  readonly service: string;
  /** `undefined` for `silent`. */
  readonly environment: string | undefined;
  readonly box: Box | undefined;
  /** Since when, ms since the epoch; of `ahead` until when it covers what is newer. */
  readonly sinceMs: number;
  readonly isProduction: boolean;
  /** What a deployment usually takes there (`stuck`, `slow`), or the usual time between two rows (`silent`). */
  readonly usualMinutes: number | undefined;
}

const minuteMs = 60_000;
const waitsAfterMs = 60 * minuteMs;
const futureByMs = 5 * minuteMs;

/** An attention, from when on and until when it is one. */
interface Due {
  readonly attention: Attention;
  /** Its kind as a place among all kinds. */
  readonly kindPlace: number;
  /** Greater is nearer to production. */
  readonly rank: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * What needs somebody, in order: failed in production, failed elsewhere, stuck, slow, waits, ahead, silent; among the
 * same the nearest to production first, then the newest. A slot is in it once. Of a board that has changed only the rows
 * that did are asked again, and what has not changed keeps its identity.
 */
export function attentionOf(
  rows: readonly MatrixRow[],
  columns: readonly string[],
  context: BoardContext,
  facts: AttentionFacts,
  nowMs: number,
): readonly Attention[] {
  return askedOf(columns)(rows, context, facts, nowMs);
}

/** Thousands may need somebody: nothing is made anew for each two that are compared. */
function byUrgency(left: Due, right: Due): number {
  const { attention: one } = left;
  const { attention: other } = right;
  return (
    left.kindPlace - right.kindPlace ||
    Number(other.isProduction) - Number(one.isProduction) ||
    right.rank - left.rank ||
    other.sinceMs - one.sinceMs
  );
}

/** What is under way in a box for far longer than usual. */
export type Lag = Pick<Attention, 'kind' | 'sinceMs' | 'usualMinutes' | 'box'>;

/** The lag of one slot, as its attention says it; `undefined` = nothing lags there. */
export function lagIn(
  { service, environment, box }: { readonly service: string; readonly environment: string; readonly box: Box },
  facts: AttentionFacts,
  nowMs: number,
): Lag | undefined {
  if (box.tone === 'bad' || facts.stuck.size + facts.usual.size === 0) return undefined;
  const lags = laggingIn(box, slotKey(service, environment), facts);
  const lag = lags.find(({ fromMs = -Infinity }) => fromMs <= nowMs);
  return lag && { kind: lag.kind, sinceMs: lag.sinceMs, usualMinutes: lag.usualMinutes, box };
}

/** By columns, since the board and a page beside it may ask for different ones in turn. */
const asked = new WeakMap<readonly string[], ReturnType<typeof askedFor>>();

function askedOf(columns: readonly string[]): ReturnType<typeof askedFor> {
  const known = asked.get(columns) ?? askedFor(columns);
  asked.set(columns, known);
  return known;
}

function askedFor(columns: readonly string[]) {
  const duesOf = duesIn(columns);
  return memoizeLast((rows: readonly MatrixRow[], context: BoardContext, facts: AttentionFacts, nowMs: number) => {
    const isDue = ({ fromMs, untilMs }: Due) => fromMs <= nowMs && nowMs < untilMs;
    const slots = rows.map(duesOf(context, facts)).flatMap((row) => row.flatMap((slot) => slot.find(isDue) ?? []));
    return [...slots, ...silentOf(facts)].sort(byUrgency).map(({ attention }) => attention);
  });
}

/** For each row: for each slot that may need somebody, its reasons in order. */
function duesIn(columns: readonly string[]) {
  return memoizeLast((context: BoardContext, facts: AttentionFacts) => {
    const rank = stageRank(context.promotionOrder, -1);
    const production = context.production?.toLowerCase();
    return memoizePerRow((row) =>
      columns.flatMap((environment) => {
        const box = boxIn(row, environment, context.futureRows);
        if (!box || isAtRest(box)) return [];
        const { service } = row;
        const isProduction = environment.toLowerCase() === production;
        const reasons = reasonsOf(box, slotKey(service, environment), facts);
        if (reasons.length === 0) return [];
        const due = ({ fromMs = -Infinity, untilMs = Infinity, usualMinutes, ...reason }: Reason): Due => ({
          attention: { service, environment, box, isProduction, usualMinutes, ...reason },
          kindPlace: attentionKinds.indexOf(reason.kind),
          rank: rank(environment),
          fromMs,
          untilMs,
        });
        return [reasons.map(due)];
      }),
    );
  });
}

/** Most slots are: nothing in them can need anybody, whatever else is known. */
function isAtRest({ tone, next, isInFuture }: Box): boolean {
  return (tone === 'ok' || tone === 'off') && !next && !isInFuture;
}

interface Reason {
  readonly kind: AttentionKind;
  readonly sinceMs: number;
  readonly usualMinutes?: number | undefined;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

function reasonsOf(box: Box, key: string, facts: AttentionFacts): readonly Reason[] {
  const event = eventShown(box);
  const sinceMs = msOf(event);
  if (box.tone === 'bad') return [{ kind: 'failed', sinceMs }];
  const waiting = waitingIn(box);
  return [
    ...laggingIn(box, key, facts),
    ...(waiting ? [waitsOf(waiting, box)] : []),
    ...(box.isInFuture
      ? [{ kind: 'ahead' as const, sinceMs: msOf(box.named), untilMs: msOf(box.named) - futureByMs }]
      : []),
  ];
}

function laggingIn(box: Box, key: string, facts: AttentionFacts): readonly Reason[] {
  const slow = box.tone === 'run' ? slowOf(msOf(eventShown(box)), key, facts) : [];
  return [...stuckIn(box, key, facts), ...slow];
}

function stuckIn(box: Box, key: string, { stuck, usual }: AttentionFacts): readonly Reason[] {
  const newest = stuck.get(key);
  if (newest === undefined) return [];
  // Of one slot, what came before a deployment that is stuck and has not ended either is stuck as well.
  const event = unfinishedIn(box).find(({ id, status }) => status !== 'waiting' && id <= newest);
  return event ? [{ kind: 'stuck', sinceMs: msOf(event), usualMinutes: usual.get(key)?.half }] : [];
}

function slowOf(sinceMs: number, key: string, { usual }: AttentionFacts): readonly Reason[] {
  const minutes = usual.get(key);
  return minutes
    ? [{ kind: 'slow', sinceMs, usualMinutes: minutes.half, fromMs: sinceMs + minutes.most * minuteMs }]
    : [];
}

/** A first deployment that is held back needs somebody at once; what is in line there, or held back elsewhere, after an hour. */
function waitsOf(event: DeploymentEvent, { tone }: Box): Reason {
  const sinceMs = msOf(event);
  const isHeld = tone === 'wait' && event.status === 'waiting';
  return { kind: 'waits', sinceMs, fromMs: isHeld ? sinceMs : sinceMs + waitsAfterMs };
}

function waitingIn(box: Box): DeploymentEvent | undefined {
  return unfinishedIn(box).find(({ status }) => status === 'waiting' || (box.tone === 'wait' && isUnfinished(status)));
}

/** What a box shows that has neither ended nor been called off. */
function unfinishedIn(box: Box): DeploymentEvent[] {
  const shown = box.tone === 'run' || box.tone === 'wait' ? [eventShown(box)] : [];
  return [...shown, ...(box.next ? [box.next] : [])].filter(({ status }) => isUnfinished(status));
}

function isUnfinished(status: Status): boolean {
  return stageStatuses.some((stage) => stage === status);
}

function silentOf({ silent }: AttentionFacts): readonly Due[] {
  return silent.map(({ reporter, lastMs, usualMinutes }: SilentReporter) => ({
    attention: {
      kind: 'silent',
      service: reporter,
      environment: undefined,
      box: undefined,
      sinceMs: lastMs,
      isProduction: false,
      usualMinutes,
    },
    kindPlace: attentionKinds.indexOf('silent'),
    rank: 0,
    fromMs: -Infinity,
    untilMs: Infinity,
  }));
}

function msOf({ happened_at }: DeploymentEvent): number {
  return Date.parse(happened_at);
}
