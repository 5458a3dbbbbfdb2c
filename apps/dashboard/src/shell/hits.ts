import { shortSha } from '../board/box.ts';
import { teamsOf } from '../board/ownership.ts';
import { type Address, feedOf, home, releasePage } from '../state/address.ts';
import { comparisons } from './ask-comparison.ts';
import { figuresAsked, figuresOfTeam } from './ask-figures.ts';
import { releaseQuestion, releaseQuestions } from './ask-release.ts';
import { standings } from './ask-standing.ts';
import { changes, pastBoards } from './ask-time.ts';
import { doings } from './doings.ts';
import { type Hit, hit, type Searched, to } from './hit.ts';
import { type KnownRelease, releaseKey } from './known-names.ts';
import { best, fit } from './ranking.ts';
import { wordsBut } from './typed-words.ts';

const releasesMax = 6;
const placesMax = 8;

/** What fits a text, in groups: the group with the best hit first, in each the best first. */
export function hitsFor(typed: string, searched: Searched): Hit[] {
  const releases = typed.trim() === '' ? [] : releaseHits(typed, searched);
  const groups = [releases, questions(typed, searched, releases), placesAndDoings(typed, searched)].map((hits) =>
    hits.sort((one, other) => other.score - one.score),
  );
  const top = (hits: readonly Hit[]) => hits[0]?.score ?? 0;
  return groups.sort((one, other) => top(other) - top(one)).flat();
}

function releaseHits(typed: string, { names, found }: Searched): Hit[] {
  // What the service says of a release is the better word on where it is.
  const all = new Map([...names.releases, ...found].map((release) => [releaseKey(release), release]));
  const named = ({ version, sha }: KnownRelease) => [...(version === null ? [] : [version]), ...shaNames(typed, sha)];
  return best(typed, all.values(), named, releasesMax).map(({ value, score }) => {
    const { service, version, sha, where } = value;
    const release = version ?? sha ?? '';
    const asked = releasePage({ service, release });
    return hit('Releases', releaseKey(value), version ?? shortSha(release), to(asked), {
      isVersion: true,
      beside: service,
      detail: version !== null && sha !== null && fit(typed, sha) ? `${shortSha(sha)} · ${where}` : where,
      score,
    });
  });
}

/** A commit is known by its beginning, of at least four digits. */
function shaNames(typed: string, sha: string | null): string[] {
  const begins = typed.trim().length >= 4 && sha?.toLowerCase().startsWith(typed.trim().toLowerCase());
  return sha !== null && begins ? [sha] : [];
}

function questions(typed: string, searched: Searched, releases: readonly Hit[]): Hit[] {
  if (typed.trim() === '') return examples(searched);
  const asked = [
    ...comparisons(typed, searched),
    ...standings(typed, searched),
    ...releaseQuestions(typed, searched),
    ...changes(typed, searched),
    ...pastBoards(typed, searched),
    ...figuresAsked(typed, searched),
    ...figuresOfTeam(typed, searched),
    ...askedOfRelease(typed, searched, releases),
  ];
  return asked.filter(({ id }, index) => asked.findIndex((other) => other.id === id) === index);
}

/** What can be asked, in the words that ask it. */
function examples({ stages, nowMs, board }: Searched): Hit[] {
  const [from, production] = stages.slice(-2);
  const sentences = [
    production === undefined ? 'what failed' : `failed in ${production}`,
    from !== undefined && production !== undefined ? `${from} vs ${production}` : '',
    'yesterday 14:05',
  ];
  const known = { board, stages, nowMs, ownership: { items: new Map(), favourites: { services: [], teams: [] } } };
  return sentences.flatMap((typed) => {
    const [first] = [...comparisons(typed, known), ...standings(typed, known), ...pastBoards(typed, known)];
    return first ? [{ ...first, detail: `type “${typed}”`, score: 2 }] : [];
  });
}

/** Whether the best release is in production. */
function askedOfRelease(typed: string, { stages }: Searched, releases: readonly Hit[]): Hit[] {
  const production = stages.at(-1);
  const [first] = [...releases].sort((one, other) => other.score - one.score);
  return first && production ? [releaseQuestion(typed.trim(), first.beside, production, 20)] : [];
}

function placesAndDoings(typed: string, searched: Searched): Hit[] {
  const hits = [
    ...(typed.trim() === '' ? [] : [...places(typed, searched), ...slots(typed, searched)]),
    ...done(typed, searched),
  ];
  return hits.sort((one, other) => other.score - one.score).slice(0, typed.trim() === '' ? 20 : placesMax);
}

function places(typed: string, { board, names, ownership }: Searched): Hit[] {
  const of = (kind: string, values: Iterable<string>, leads: (name: string) => Partial<Address>) =>
    best(typed, values, (name) => [name], placesMax).map(({ value, score }) =>
      hit('Go to', `${kind} ${value}`, value, to(leads(value)), { detail: kind, score }),
    );
  const boardOf = (filter: Partial<Address['filter']>) => ({
    view: 'board' as const,
    filter: { ...home.filter, ...filter },
  });
  return [
    ...of('service', board.rows.keys(), (name) => boardOf({ services: [name] })),
    ...of('environment', board.environments, (name) => boardOf({ environments: [name] })),
    ...of('team', teamsOf(ownership), (name) => boardOf({ teams: [name] })),
    ...of('actor', names.actors, (actor) => feedOf({ actor })),
  ];
}

const fillers = new Set('in is of on the what which version runs running'.split(' '));

/** "checkout preprod": the history of a slot. */
function slots(typed: string, { board }: Searched): Hit[] {
  const words = wordsBut(typed, fillers);
  const last = words.pop() ?? '';
  const service = words.join(' ');
  if (service === '') return [];
  const [environment] = best(last, board.environments, (name) => [name], 1);
  if (!environment) return [];
  return best(service, board.rows.keys(), (name) => [name], 3).map(({ value, score }) => {
    const title = `${value} in ${environment.value}`;
    const slot = { service: value, environment: environment.value };
    return hit('Go to', title, title, { to: { slot } }, { detail: 'history', score: (score + environment.score) / 2 });
  });
}

function done(typed: string, { canAct }: Searched): Hit[] {
  return best(typed, doings(canAct), ({ title, names }) => [title, ...names], placesMax * 3).map(({ value, score }) =>
    hit('Go to', value.title, value.title, value.does, { keys: value.keys, score: score / 1.5 }),
  );
}
