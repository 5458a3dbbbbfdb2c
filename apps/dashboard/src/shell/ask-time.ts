import { literalGlob } from '@shiplog/text';
import { dayTime } from '../board/day-time.ts';
import type { EnvironmentOrStage } from '../board/stages.ts';
import { type Range, rangeBetween } from '../range/range.ts';
import { rangeWords } from '../range/range-words.ts';
import { typedRange } from '../range/typed-range.ts';
import { typedTime } from '../range/typed-time.ts';
import { changesOf, home } from '../state/address.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, question, type SearchInput } from './hit.ts';
import { cleaned, cuts, wordsBut } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages' | 'nowMs'>;

const fillers = new Set(
  'what which was were ran run runs is running stood on the board at as of in status how did look version'.split(' '),
);
/** A day without a time, in the forms that `typedTime` understands. */
const day =
  /^(?:today|yesterday|(?:sun|mon|tues|wednes|thurs|fri|satur)day|\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?\.? [a-z]{3,9}|[a-z]{3,9} \d{1,2})$/i;
const changed = /^(?:what )?(?:has |have )?(?:chang(?:ed|es)|happened)\b\s*(.*)$/i;

/** Understands "Yesterday at 14:05", "prod as of 2026-11-20 14:05", "what ran in prod yesterday at 14:05". */
export function pastBoardQuestions(typed: string, known: Known): Hit[] {
  const found = timeAndPlace(wordsBut(typed, fillers), '12:00', known);
  if (!found) return [];
  const { ms, place } = found;
  const time = atTime(ms, known.nowMs);
  const asof = new Date(ms).toISOString();
  const title = place ? `What ran in ${place.name} ${time}?` : `What was on the board ${time}?`;
  const board = { view: 'board' as const, asof, ...(place && { filter: filterOf(place) }) };
  return [question(title, board, place ? 96 : 58, 'board at that time'), changesSince(found, known, 57)];
}

/**
 * Understands "What changed since 14:05", "changes in prod since yesterday", "prod yesterday 13:10 to 14:10", "what
 * changed in prod last week".
 */
export function changeQuestions(typed: string, known: Known): Hit[] {
  const text = cleaned(typed);
  const [, said] = changed.exec(text) ?? [];
  const isAsked = said !== undefined;
  const found =
    isAsked && said.trim() === '' ? lastDay : rangeAndPlace(said ?? text, known, isAsked ? lastDay.range : undefined);
  if (found) {
    // For a day alone, the board is suggested first.
    const score = !found.isDay ? 96 : found.place ? 95 : 56;
    // The word alone also names the view, which comes first.
    const isWord = /^changes?$/i.test(text);
    return [changesIn(found, known, isWord ? 50 : isAsked ? 97 : score)];
  }
  const since = isAsked ? timeAndPlace(wordsBut(said, fillers), '00:00', known) : undefined;
  return since ? [changesSince(since, known, 97)] : [];
}

interface RangeAndPlace {
  readonly range: Range;
  readonly place: EnvironmentOrStage | undefined;
  readonly isDay: boolean;
}

const lastDay: RangeAndPlace = { range: { name: '24h' }, place: undefined, isDay: false };

/** A range with or without an environment, in any order; an environment alone if there is a default range. */
function rangeAndPlace(text: string, known: Known, byDefault?: Range): RangeAndPlace | undefined {
  const placeIn = (words: string) =>
    placesNamed(words.replace(/^(?:in|on|at|of) /i, '').replace(/ (?:in|on|at)$/i, ''), known)[0];
  const words = text.split(' ').filter((word) => word !== '');
  const foundIn = (time: string, place: EnvironmentOrStage | undefined): RangeAndPlace | undefined => {
    const range = typedRange(time, known.nowMs);
    return range && { range, place, isDay: day.test(time) };
  };
  const whole = foundIn(words.join(' '), undefined);
  if (whole) return whole;
  const only = placeIn(words.join(' '));
  if (byDefault && only) return { range: byDefault, place: only, isDay: false };
  for (const [name, time] of inTwo(words)) {
    const place = placeIn(name);
    const found = place && foundIn(time, place);
    if (found) return found;
  }
  return undefined;
}

interface TimeAndPlace {
  readonly ms: number;
  readonly place: EnvironmentOrStage | undefined;
}

function changesSince({ ms, place }: TimeAndPlace, known: Known, score: number): Hit {
  return changesIn({ range: rangeBetween(ms, undefined), place, isDay: false }, known, score);
}

/** "What changed in prod since yesterday 14:05?", "What changed in prod, Thu 19 Nov, 13:10 – 14:10?" */
function changesIn({ range, place }: RangeAndPlace, { nowMs }: Known, score: number): Hit {
  const isSince = range.name === undefined && range.to === undefined;
  const time = isSince ? ` since ${dayTime(Date.parse(range.from), nowMs)}` : `, ${rangeInTitle(range, nowMs)}`;
  const where = place ? ` in ${place.name}` : '';
  const view = place ? 'changes' : 'changes in all environments';
  return question(`What changed${where}${time}?`, changesOf({ range, filter: filterOf(place) }), score, view);
}

function filterOf(place: EnvironmentOrStage | undefined) {
  return { ...home.filter, environments: (place?.environments ?? []).map(literalGlob) };
}

function rangeInTitle(range: Range, nowMs: number): string {
  const words = rangeWords(range, nowMs);
  return range.name === undefined ? words : words.toLowerCase();
}

/** A time, with an environment before or after it. */
function timeAndPlace(words: readonly string[], clock: string, known: Known): TimeAndPlace | undefined {
  const whole = timeIn(words.join(' '), clock, known.nowMs);
  if (whole !== undefined) return { ms: whole, place: undefined };
  for (const [name, time] of inTwo(words)) {
    const [place] = placesNamed(name, known);
    const ms = place && timeIn(time, clock, known.nowMs);
    if (ms !== undefined) return { ms, place };
  }
  return undefined;
}

/** Every way to split words in two parts, in both orders. */
function inTwo(words: readonly string[]): (readonly [one: string, other: string])[] {
  return cuts(words).flatMap(([left, right]) => [[left, right] as const, [right, left] as const]);
}

function timeIn(text: string, clock: string, nowMs: number): number | undefined {
  if (text === '') return undefined;
  for (const each of day.test(text) ? [`${text} ${clock}`, `${text} 00:00`] : [text]) {
    const time = typedTime(each, nowMs);
    if (time !== 'now' && 'ms' in time) return time.ms;
  }
  return undefined;
}

/** "yesterday at 14:05". */
function atTime(ms: number, nowMs: number): string {
  return dayTime(ms, nowMs).replace(/ (\d\d:\d\d)$/, ' at $1');
}
