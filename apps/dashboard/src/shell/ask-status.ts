import { literalGlob } from '@shiplog/text';
import { teamsOf } from '../board/ownership.ts';
import { type Address, changesOf, home } from '../state/address.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, hit, question, type SearchInput } from './hit.ts';
import { best } from './ranking.ts';
import { cleaned } from './typed-words.ts';

type Filter = Address['filter'];
export type KnownPlaces = Pick<SearchInput, 'board' | 'stages' | 'ownership'>;

const failing = 'fail(?:ed|ures?|ing|s)?|broken?|breaks?|errors?';
const running = 'running|runs|deploying|in progress|arriving';
const asked = (words: string) => [
  new RegExp(
    `^(?:(?:what|which|anything|everything|services?|deployments?|all|is|are|has|have|that) )*(?:last |newest |latest |recent )?(?:${words})(?: (last|lately|recently|now|newest first))?(?: (?:in|on|of|at))?(?: (.+))?$`,
    'i',
  ),
  new RegExp(`^(.+?)(?:['’]s?)? (?:last |newest |latest )?(?:${words})(?: (?:in|on|at) (.+))?$`, 'i'),
];
const patterns = { failed: asked(failing), running: asked(running) };

/** Understands "What failed", "failed in prod", "orders failures", "what is running in staging". */
export function statusQuestions(typed: string, known: KnownPlaces): Hit[] {
  return [...questionsOf('failed', typed, known), ...questionsOf('running', typed, known)];
}

function questionsOf(only: 'failed' | 'running', typed: string, known: KnownPlaces): Hit[] {
  const text = cleaned(typed);
  const [whole, after] = patterns[only];
  const found = whole?.exec(text);
  const [rest, place = ''] = found ? [found[2] ?? ''] : (after?.exec(text)?.slice(1) ?? []);
  if (rest === undefined) return [];
  const named = filtersNamed(place, known).flatMap((where) =>
    filtersNamed(rest, known).map(({ words, filter }) => ({
      words: words + where.words,
      filter: { ...filter, ...where.filter },
    })),
  );
  // A single word may also name a view or a command. These are listed as well.
  return named.flatMap(({ words, filter }) => {
    const board = { view: 'board' as const, filter: { ...home.filter, ...filter, only } };
    const isLast = /\b(last|newest|latest|lately|recent)/i.test(text);
    if (only === 'running') return [question(`What is running${words}?`, board, 96, 'board')];
    const all = changesOf({ status: 'failure', filter: { ...home.filter, ...filter }, range: { name: '30d' } });
    return [
      question(`What failed${words}?`, board, 96, 'board'),
      question(`All failures${words}, newest first`, all, isLast ? 97 : 95, 'changes'),
    ];
  });
}

/** Understands "notify me when orders fails in prod" and "notify orders failed". */
export function notifyQuestions(typed: string, known: KnownPlaces): Hit[] {
  const [, what] = /^(?:notify|alert|tell|warn)(?: me)?(?: (?:when|if|of|about|on))? (.+)$/i.exec(typed.trim()) ?? [];
  const [first] = what === undefined ? [] : questionsOf('failed', what, known);
  if (!first || !('to' in first.does)) return [];
  const words = first.title.replace(/^What failed|\?$/g, '');
  const does = { to: first.does.to, command: 'notify' as const };
  return [hit('Ask', 'notify', `Notify me of failures${words}`, does, { detail: 'board', score: 98 })];
}

/** Understands "wall for payments". */
export function wallQuestions(typed: string, known: KnownPlaces): Hit[] {
  const [, name] =
    /^(?:(?:wall|tv)(?: display| screen)?|display)(?: (?:for|of))? (?:the )?(?:team )?(.+)$/i.exec(cleaned(typed)) ??
    [];
  if (name === undefined) return [];
  return filtersNamed(name, known).map(({ words, filter }) =>
    question(
      `Wall display${words}`,
      { view: 'board', filter: { ...home.filter, ...filter }, board: { ...home.board, layout: 'wall' } },
      96,
    ),
  );
}

export interface NamedFilter {
  /** " in prod", " for Orders", or an empty text. */
  readonly words: string;
  readonly filter: Partial<Filter>;
}

/** The filters that a name may mean: environments, or else a team, or else a service. An empty name filters nothing. */
export function filtersNamed(text: string, known: KnownPlaces): readonly NamedFilter[] {
  const { board, ownership } = known;
  const name = text.trim().replace(/^(?:the )?(?:service|team|environment) (?=\S)/i, '');
  if (name === '') return [{ words: '', filter: {} }];
  const places = placesNamed(name, known);
  if (places.length > 0)
    return places.map((place) => ({
      words: ` in ${place.name}`,
      filter: { environments: place.environments.map(literalGlob) },
    }));
  const [team] = best(name, teamsOf(ownership), (each) => [each], 1);
  const [service] = best(name, board.rows.keys(), (each) => [each], 1);
  if (team && team.score >= (service?.score ?? 0) - 2) {
    return [{ words: ` for ${team.value}`, filter: { teams: [team.value] } }];
  }
  return service ? [{ words: ` for ${service.value}`, filter: { services: [literalGlob(service.value)] } }] : [];
}
