import { type DeploymentEvent, instantKey } from '@shiplog/contract';
import { instantKeyOf } from '../board/instant.ts';

export type Direction = 'before' | 'after';

/** The time of the event before or after a time (`undefined` = now). The events may be in any order. */
export function stepAmong(
  events: readonly DeploymentEvent[],
  from: string | undefined,
  direction: Direction,
): string | undefined {
  const at = from === undefined ? undefined : instantKeyOf(from);
  let nearest: { readonly key: string; readonly instant: string } | undefined;
  for (const { happened_at: instant } of events) {
    const key = instantKey(instant);
    const isThere = at === undefined ? direction === 'before' : direction === 'before' ? key < at : key > at;
    const isNearer = !nearest || (direction === 'before' ? key > nearest.key : key < nearest.key);
    if (isThere && isNearer) nearest = { key, instant };
  }
  return nearest?.instant;
}

/** The 24 hours of the timeline, in whole minutes. */
export interface Timeline {
  readonly fromMs: number;
  readonly untilMs: number;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** How far the end of the timeline may lag behind the present. */
const delayMsMax = 600_000;

/**
 * The timeline for a time (`undefined` = now). The previous timeline stays while it contains the time, so that the
 * timeline doesn't move while the user drags the slider.
 */
export function timelineFor(before: Timeline | undefined, atMs: number | undefined, presentMs: number): Timeline {
  if (before) {
    const isOn =
      atMs === undefined ? presentMs - before.untilMs < delayMsMax : atMs >= before.fromMs && atMs <= before.untilMs;
    if (isOn) return before;
  }
  const isNear = atMs === undefined || atMs > presentMs - dayMs;
  const untilMs = Math.ceil((isNear ? presentMs : Math.min(presentMs, atMs + dayMs / 2)) / minuteMs) * minuteMs;
  return { fromMs: untilMs - dayMs, untilMs };
}

/** A mark on the timeline: its position from 0 to 1, and whether it includes a failure. */
export interface Tick {
  readonly at: number;
  readonly failed: boolean;
}

const ticksMax = 240;

/** The events of a timeline as marks, at most one per six minutes. */
export function ticksOf(events: readonly DeploymentEvent[], { fromMs, untilMs }: Timeline): Tick[] {
  const failedAt = new Map<number, boolean>();
  for (const { happened_at, status } of events) {
    const index = Math.floor(((Date.parse(happened_at) - fromMs) / (untilMs - fromMs)) * ticksMax);
    if (index < 0 || index > ticksMax) continue;
    failedAt.set(index, status === 'failure' || failedAt.get(index) === true);
  }
  return [...failedAt].map(([index, failed]) => ({ at: index / ticksMax, failed }));
}
