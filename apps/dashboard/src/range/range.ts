import { startOf, type Unit, type Zone } from './calendar.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The longest range that the service accepts. */
export const longestMs = 400 * dayMs;
/** How far the page's clock may lag: it ticks every 5 s, and its offset from the service's clock is measured. */
const clockBehindMs = 10_000;

/** A range of fixed length that ends now, or a calendar unit counted from the current one. */
type Meaning = { readonly spanMs: number } | { readonly unit: Unit; readonly offset: number };

const names = {
  '1h': { title: 'Last hour', spanMs: hourMs },
  '24h': { title: 'Last 24 hours', spanMs: dayMs },
  today: { title: 'Today', unit: 'day', offset: 0 },
  yesterday: { title: 'Yesterday', unit: 'day', offset: -1 },
  '7d': { title: 'Last 7 days', spanMs: 7 * dayMs },
  '14d': { title: 'Last 14 days', spanMs: 14 * dayMs },
  '30d': { title: 'Last 30 days', spanMs: 30 * dayMs },
  'this-month': { title: 'This month', unit: 'month', offset: 0 },
  'last-month': { title: 'Last month', unit: 'month', offset: -1 },
  'last-quarter': { title: 'Last quarter', unit: 'quarter', offset: -1 },
} as const satisfies Record<string, Meaning & { readonly title: string }>;

export type RangeName = keyof typeof names;
export const rangeNames = Object.keys(names) as readonly RangeName[];
const meanings: Readonly<Record<RangeName, Meaning & { readonly title: string }>> = names;

/** A range with a name, which moves with the clock, or a range between two times. Without `to`, it ends now. */
export type Range =
  | { readonly name: RangeName }
  | { readonly name?: never; readonly from: string; readonly to: string | undefined };

/** A range at a given time: `from` is inclusive, `to` exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the range isn't over yet. */
  readonly isLive: boolean;
}

export function titleOf(name: RangeName): string {
  return meanings[name].title;
}

/** The times of a range. A live range ends with the current minute, so that it has the same end for a minute. */
export function spanOf(range: Range, nowMs: number, zone: Zone = 'local'): Span {
  const endOfNow = endOfMinute(nowMs);
  if (range.name === undefined) {
    const toMs = range.to === undefined ? endOfNow : Date.parse(range.to);
    const fromMs = Math.max(Math.min(Date.parse(range.from), toMs - minuteMs), toMs - longestMs);
    return { fromMs, toMs, isLive: toMs > nowMs };
  }
  const meaning = meanings[range.name];
  if ('spanMs' in meaning) return { fromMs: endOfNow - meaning.spanMs, toMs: endOfNow, isLive: true };
  const end = startOf(meaning.unit, nowMs, meaning.offset + 1, zone);
  const fromMs = startOf(meaning.unit, nowMs, meaning.offset, zone);
  return { fromMs, toMs: end > nowMs ? endOfNow : end, isLive: end > nowMs };
}

/** A fixed range. The times are in whole seconds. */
export function rangeBetween(fromMs: number, toMs: number | undefined): Range {
  return { from: instant(fromMs), to: toMs === undefined ? undefined : instant(toMs) };
}

/** The times of a named range, which then no longer moves with the clock. */
export function fixedRange(range: Range, nowMs: number): Range {
  const { fromMs, toMs } = spanOf(range, nowMs);
  return rangeBetween(fromMs, toMs);
}

export function rangeAround(ms: number): Range {
  return rangeBetween(ms - hourMs, ms + hourMs);
}

/**
 * The range of the same length before (-1) or after (1) a range. A day, month or quarter moves to the adjacent one. A
 * range that would end in the future ends now; `undefined` after a range that ends now.
 */
export function shifted(range: Range, direction: -1 | 1, nowMs: number, zone: Zone = 'local'): Range | undefined {
  const { fromMs, toMs, isLive } = spanOf(range, nowMs, zone);
  if (direction === 1 && isLive) return undefined;
  const unit = calendarUnit(range, nowMs, zone);
  if (unit) {
    const at = (offset: number) => startOf(unit, fromMs, direction + offset, zone);
    const name = nameOfUnit(unit, at(0), nowMs, zone);
    return name ? { name } : rangeBetween(at(0), at(1) > nowMs ? undefined : at(1));
  }
  const length = toMs - fromMs;
  if (toMs + direction * length > nowMs) return endingNow(length, nowMs);
  return rangeBetween(fromMs + direction * length, toMs + direction * length);
}

/** A range twice as long around the same middle, or up to now. `undefined` if the range is the longest. */
export function zoomedOut(range: Range, nowMs: number): Range | undefined {
  const { fromMs, toMs } = spanOf(range, nowMs);
  const length = Math.min(2 * (toMs - fromMs), longestMs);
  if (length <= toMs - fromMs) return undefined;
  const grown = (length - (toMs - fromMs)) / 2;
  return toMs + grown > nowMs ? endingNow(length, nowMs) : rangeBetween(fromMs - grown, toMs + grown);
}

/** The live range with about the same length: 24 hours unless a named range has this length. */
export function liveAgain(range: Range, nowMs: number): Range {
  const { fromMs, toMs } = spanOf(range, nowMs);
  return { name: nameOfLength(toMs - fromMs) ?? '24h' };
}

function endingNow(length: number, nowMs: number): Range {
  const name = nameOfLength(length);
  return name ? { name } : rangeBetween(endOfMinute(nowMs) - length, undefined);
}

function nameOfLength(length: number): RangeName | undefined {
  return rangeNames.find((name) => {
    const meaning = meanings[name];
    return 'spanMs' in meaning && meaning.spanMs === length;
  });
}

function nameOfUnit(unit: Unit, fromMs: number, nowMs: number, zone: Zone): RangeName | undefined {
  return rangeNames.find((name) => {
    const meaning = meanings[name];
    return 'unit' in meaning && meaning.unit === unit && startOf(unit, nowMs, meaning.offset, zone) === fromMs;
  });
}

const units: readonly Unit[] = ['day', 'month', 'quarter'];

/** The calendar unit that a range covers exactly, or of which it covers the past part by its name. */
export function calendarUnit(range: Range, nowMs: number, zone: Zone): Unit | undefined {
  const meaning = range.name === undefined ? undefined : meanings[range.name];
  if (meaning) return 'unit' in meaning ? meaning.unit : undefined;
  const { fromMs, toMs } = spanOf(range, nowMs, zone);
  return units.find((unit) => startOf(unit, fromMs, 0, zone) === fromMs && startOf(unit, fromMs, 1, zone) === toMs);
}

function endOfMinute(nowMs: number): number {
  return (Math.floor((nowMs + clockBehindMs) / minuteMs) + 1) * minuteMs;
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
