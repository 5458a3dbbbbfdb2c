import { dayTime } from '../board/day-time.ts';
import { comparisonOf, home } from '../state/address.ts';
import { typedTime } from '../time-travel/time-text.ts';
import { environmentsNamed } from './environment-names.ts';
import { type Hit, question, type SearchInput } from './hit.ts';
import { cleaned, cuts, wordsBut } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages' | 'nowMs'>;

const fillers = new Set(
  'what which was were ran run runs is running stood on the board at as of in status how did look version'.split(' '),
);
/** A day without a time, in the forms that `typedTime` understands. */
const day =
  /^(?:today|yesterday|(?:sun|mon|tues|wednes|thurs|fri|satur)day|\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?\.? [a-z]{3,9}|[a-z]{3,9} \d{1,2})$/i;
const changed = /^(?:what )?(?:has )?chang(?:ed|es)\b\s*(.*)$/i;
const dayMs = 86_400_000;

/** Understands "Yesterday at 14:05", "prod as of 2026-11-20 14:05", "what ran in prod yesterday at 14:05". */
export function pastBoardQuestions(typed: string, known: Known): Hit[] {
  const found = timeAndPlace(wordsBut(typed, fillers), '12:00', known);
  if (!found) return [];
  const { ms, environment } = found;
  const time = atTime(ms, known.nowMs);
  const asof = new Date(ms).toISOString();
  const title = environment === undefined ? `What was on the board ${time}?` : `What ran in ${environment} ${time}?`;
  const filter = { ...home.filter, environments: environment === undefined ? [] : [environment] };
  const board = environment === undefined ? { view: 'board' as const, asof } : { view: 'board' as const, asof, filter };
  return [
    question(title, board, environment === undefined ? 58 : 96, 'board at that time'),
    changesSince(found, known, 57),
  ];
}

/** Understands "What changed since 14:05", "changes in prod since yesterday", "since monday". */
export function changeQuestions(typed: string, known: Known): Hit[] {
  const text = cleaned(typed);
  const [, said] = changed.exec(text) ?? [];
  const rest = said ?? (/\bsince\b/i.test(text) ? text : undefined);
  if (rest === undefined) return [];
  const words = wordsBut(rest.replace(/\bsince\b/gi, ' '), fillers);
  const [environment] = environmentsNamed(words.join(' '), known.board.environments, known.stages);
  const found =
    words.length === 0 || environment !== undefined
      ? { ms: known.nowMs - dayMs, environment }
      : timeAndPlace(words, '00:00', known);
  return found ? [changesSince(found, known, 97)] : [];
}

interface TimeAndPlace {
  readonly ms: number;
  readonly environment: string | undefined;
}

function changesSince({ ms, environment }: TimeAndPlace, { nowMs }: Known, score: number): Hit {
  const place = environment === undefined ? '' : ` in ${environment}`;
  const asked = comparisonOf({ earlier: new Date(ms).toISOString(), to: environment });
  return question(
    `What changed${place} since ${dayTime(ms, nowMs)}?`,
    { ...asked, asof: undefined },
    score,
    'then and now',
  );
}

/** A time, with an environment before or after it. */
function timeAndPlace(words: readonly string[], clock: string, known: Known): TimeAndPlace | undefined {
  const whole = timeIn(words.join(' '), clock, known.nowMs);
  if (whole !== undefined) return { ms: whole, environment: undefined };
  for (const [left, right] of cuts(words)) {
    for (const [place, time] of [
      [left, right],
      [right, left],
    ] as const) {
      const [environment] = environmentsNamed(place, known.board.environments, known.stages);
      const ms = environment === undefined ? undefined : timeIn(time, clock, known.nowMs);
      if (ms !== undefined) return { ms, environment };
    }
  }
  return undefined;
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
