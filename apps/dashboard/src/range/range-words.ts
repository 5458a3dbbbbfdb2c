import { clockName, dayName, isStartOfDay, startOf } from './calendar.ts';
import { type Range, spanOf, titleOf } from './range.ts';

/** "Last 24 hours", "Thu 19 Nov, 13:10 – 14:10", "Thu 19 Nov", "Thu 19 Nov, 13:10 – now". */
export function rangeWords(range: Range, nowMs: number): string {
  if (range.name !== undefined) return titleOf(range.name);
  const { fromMs, toMs } = spanOf(range, nowMs);
  const begin = dayName(fromMs, nowMs);
  if (range.to === undefined) {
    return isMidnight(fromMs) ? `${begin} – now` : `${begin}, ${clockName(fromMs)} – now`;
  }
  // The end is exclusive, so midnight belongs to the day before.
  const end = dayName(toMs - 1, nowMs);
  if (isMidnight(fromMs) && isMidnight(toMs)) return begin === end ? begin : `${begin} – ${end}`;
  const times = [clockName(fromMs), endClock(toMs)];
  return begin === end ? `${begin}, ${times[0]} – ${times[1]}` : `${begin}, ${times[0]} – ${end}, ${times[1]}`;
}

/** A range within a sentence: "last 24 hours", "13:10–14:10" on one day, else as `rangeWords`. */
export function rangeInSentence(range: Range, nowMs: number): string {
  if (range.name !== undefined) return titleOf(range.name).toLowerCase();
  const { fromMs, toMs } = spanOf(range, nowMs);
  const isOneDay = toMs <= startOf('day', fromMs, 1, 'local');
  const isWholeDay = isMidnight(fromMs) && isMidnight(toMs);
  if (range.to === undefined || !isOneDay || isWholeDay) return rangeWords(range, nowMs);
  return `${clockName(fromMs)}–${endClock(toMs)}`;
}

/** A time as the fields of the range control show and read it: "2026-11-19 13:10". */
export function fieldText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${clockName(ms)}`;
}

function endClock(toMs: number): string {
  return isMidnight(toMs) ? '24:00' : clockName(toMs);
}

function isMidnight(ms: number): boolean {
  return isStartOfDay(ms, 'local');
}
