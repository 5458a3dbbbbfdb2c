import { startOf } from './calendar.ts';
import { type Range, type RangeName, rangeAround, rangeBetween, rangeNames, titleOf } from './range.ts';
import { typedTime } from './typed-time.ts';

const dayMs = 86_400_000;
const clockOnly = /^\d{1,2}:\d{2}(?::\d{2})?\s*(?:am|pm)?$/i;
const clock = /\d{1,2}:\d{2}/;
const synonyms: ReadonlyMap<string, RangeName> = new Map([
  ['last day', '24h'],
  ['last week', '7d'],
]);

/**
 * Parses a range: the title of a named one, a day ("19 Nov"), two times ("yesterday 13:10 to 14:10", "9:00 – 17:00"),
 * a start ("since Monday 9:00"), or a time with an hour before and after it ("around 14:05").
 */
export function typedRange(text: string, nowMs: number): Range | undefined {
  const typed = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:in |on |during |the |for )+/i, '');
  const named = nameIn(typed.toLowerCase());
  if (named) return { name: named };
  const [, around] = /^(?:around|about|near) (.+)$/i.exec(typed) ?? [];
  if (around !== undefined) {
    const ms = timeIn(around, nowMs);
    return ms === undefined ? undefined : rangeAround(ms);
  }
  const [, since] = /^(?:since|from) (.+?)(?: (?:to|until) now)?$/i.exec(typed) ?? [];
  const both = /^(?:from |between )?(.+?)(?: (?:to|until|till|and) | ?[–—] ?| - )(.+)$/i.exec(typed);
  if (both) return rangeOfTexts(both[1] ?? '', both[2] ?? '', nowMs);
  if (since !== undefined) return rangeOfTexts(since, '', nowMs);
  const day = dayIn(typed, nowMs);
  return day === undefined ? undefined : rangeBetween(day, startOf('day', day, 1, 'local'));
}

/** A range from the contents of two fields; without an end, it ends now. A date without a time means the whole day. */
export function rangeOfTexts(fromText: string, toText: string, nowMs: number): Range | undefined {
  const from = dayIn(fromText, nowMs) ?? timeIn(fromText, nowMs);
  if (from === undefined) return undefined;
  const end = toText.trim().toLowerCase();
  if (end === '' || end === 'now') return from < nowMs ? rangeBetween(from, undefined) : undefined;
  const to = endIn(end, from, nowMs);
  return to === undefined || to <= from ? undefined : rangeBetween(from, to);
}

/** The end of a range. A time of day alone is on the day of the start, or on the next day if that is later. */
function endIn(text: string, from: number, nowMs: number): number | undefined {
  if (clockOnly.test(text)) {
    const [today, tomorrow] = [1, 2].map((days) => timeIn(text, startOf('day', from, days, 'local') - 1));
    return today !== undefined && today > from ? today : tomorrow;
  }
  const day = dayIn(text, nowMs);
  return day === undefined ? timeIn(text, nowMs) : startOf('day', day, 1, 'local');
}

function nameIn(typed: string): RangeName | undefined {
  const isName = (name: RangeName) => [name, titleOf(name).toLowerCase()].includes(typed.replace('past ', 'last '));
  const short = typed.replace(/^last (\d+) ?(h|d)(?:ours?|ays?)?$/, '$1$2');
  return rangeNames.find(isName) ?? rangeNames.find((name) => name === short) ?? synonyms.get(typed);
}

/** The start of a day without a time: "yesterday", "monday", "19 Nov", "2026-11-19". */
function dayIn(text: string, nowMs: number): number | undefined {
  if (clock.test(text) || /\bago\b/i.test(text) || text.trim() === '') return undefined;
  return timeIn(`${text} 00:00`, nowMs);
}

function timeIn(text: string, nowMs: number): number | undefined {
  const time = typedTime(text, nowMs);
  if (time === 'now') return nowMs;
  return 'ms' in time && time.ms > nowMs - 20 * 365 * dayMs ? time.ms : undefined;
}
