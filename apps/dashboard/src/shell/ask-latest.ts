import { ageOf, isInFuture, versionOf } from '@shiplog/text';
import { newestOf } from '../board/board.ts';
import { eventsOfRow } from '../board/box.ts';
import { type Filter, wantsEvent } from '../board/filter.ts';
import { changesOf, home } from '../state/address.ts';
import { filtersNamed } from './ask-status.ts';
import { type Hit, hit, question, type SearchInput } from './hit.ts';
import { cleaned } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages' | 'ownership' | 'futureRows' | 'nowMs'>;

const when = '(?:last|latest|lately|newest|recent(?:ly)?|most recent(?:ly)?)';
const patterns = [
  new RegExp(`^(?:who|what)(?: (?:was|has))? (?:${when} )?(?:deployed|released|shipped)\\b(.*)$`, 'i'),
  new RegExp(`^(?:the )?${when} (?:deploy(?:ment)?s?|events?)\\b(.*)$`, 'i'),
  /^deploy(?:ment)?s\b(.*)$/i,
];

/** Understands "Who deployed last to prod", "latest deployments", "last deployment of orders", and an environment alone. */
export function latestQuestions(typed: string, known: Known): Hit[] {
  const text = cleaned(typed);
  const [, rest] = patterns.map((pattern) => pattern.exec(text)).find((found) => found !== null) ?? [];
  if (rest === undefined) {
    // Below the environment itself.
    return known.board.environments.includes(text)
      ? latestIn(text, known).map((found) => ({ ...found, score: 50 }))
      : [];
  }
  const name = rest
    .replace(new RegExp(`\\b${when}\\b`, 'gi'), ' ')
    .trim()
    .replace(/^(?:to|in|into|of|for|on) /i, '');
  return latestIn(name, known);
}

/** @param name an environment, a team or a service; empty = everywhere. */
function latestIn(name: string, known: Known): Hit[] {
  return filtersNamed(name, known).flatMap(({ words, filter: narrowed }) => {
    const filter = { ...home.filter, ...narrowed };
    const all = changesOf({ filter, range: { name: '7d' } });
    return [...lastDeployment(words, filter, known), question(`Deployments${words}, newest first`, all, 96, 'changes')];
  });
}

/** The answer itself, which opens the history of its slot. Events dated in the future are left out. */
function lastDeployment(words: string, filter: Filter, { board, ownership, futureRows, nowMs }: Known): Hit[] {
  const hidden = [...futureRows.values()].flatMap((row) => row.hidden ?? []);
  const events = [...[...board.rows.values()].flatMap(eventsOfRow), ...hidden];
  const last = newestOf(
    events.filter((event) => wantsEvent(filter, event, ownership) && !isInFuture(Date.parse(event.happened_at), nowMs)),
  );
  if (!last) return [];
  const { service, environment, actor } = last;
  const by = actor ? ` by ${actor}` : '';
  const where = filter.environments.length === 1 ? '' : ` in ${environment}`;
  const title = `Last deployment${words}: ${service} ${versionOf(last)}${where}${by}`;
  const age = ageOf(Date.parse(last.happened_at), nowMs);
  const detail = age === 'now' ? age : `${age} ago`;
  return [hit('Ask', 'last deployment', title, { to: { slot: { service, environment } } }, { detail, score: 97 })];
}
