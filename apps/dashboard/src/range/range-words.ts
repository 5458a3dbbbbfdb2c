import { clockName, dayName, isStartOfDay, startOf, type Zone } from './calendar.ts';
import { type Range, spanOf, titleOf } from './range.ts';

/** "Last 24 hours", "Thu 19 Nov, 13:10 – 14:10", "Thu 19 Nov", "Thu 19 Nov, 13:10 – now". */
export function rangeWords(range: Range, nowMs: number, zone: Zone = 'local'): string {
  if (range.name !== undefined) return titleOf(range.name);
  const { fromMs, toMs } = spanOf(range, nowMs, zone);
  const begin = dayName(fromMs, nowMs, zone);
  if (range.to === undefined) {
    return isStartOfDay(fromMs, zone) ? `${begin} – now` : `${begin}, ${clockName(fromMs, zone)} – now`;
  }
  // The end is exclusive, so midnight belongs to the day before.
  const end = dayName(toMs - 1, nowMs, zone);
  if (isStartOfDay(fromMs, zone) && isStartOfDay(toMs, zone)) return begin === end ? begin : `${begin} – ${end}`;
  const times = [clockName(fromMs, zone), endClock(toMs, zone)];
  return begin === end ? `${begin}, ${times[0]} – ${times[1]}` : `${begin}, ${times[0]} – ${end}, ${times[1]}`;
}

/** A range within a sentence: "last 24 hours", "13:10–14:10" on one day, else as `rangeWords`. */
export function rangeInSentence(range: Range, nowMs: number, zone: Zone = 'local'): string {
  if (range.name !== undefined) return titleOf(range.name).toLowerCase();
  const { fromMs, toMs } = spanOf(range, nowMs, zone);
  const isOneDay = toMs <= startOf('day', fromMs, 1, zone);
  const isWholeDay = isStartOfDay(fromMs, zone) && isStartOfDay(toMs, zone);
  if (range.to === undefined || !isOneDay || isWholeDay) return rangeWords(range, nowMs, zone);
  return `${clockName(fromMs, zone)}–${endClock(toMs, zone)}`;
}

/** A time as the fields of the range control show and read it: "2026-11-19 13:10". */
export function fieldText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${clockName(ms, 'local')}`;
}

function endClock(toMs: number, zone: Zone): string {
  return isStartOfDay(toMs, zone) ? '24:00' : clockName(toMs, zone);
}
