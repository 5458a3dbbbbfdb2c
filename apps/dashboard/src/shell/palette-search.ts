import { literalGlob, shortSha } from '@shiplog/text';
import { noOwnership, teamsOf } from '../board/ownership.ts';
import { fromStage } from '../board/stages.ts';
import { type Address, changesOf, home, releasePage } from '../state/address.ts';
import { comparisonQuestions } from './ask-comparison.ts';
import { figureQuestions, teamFigureQuestions } from './ask-figures.ts';
import { latestQuestions } from './ask-latest.ts';
import { releaseQuestion, releaseQuestions } from './ask-release.ts';
import { lastGoodQuestions, slotHits } from './ask-slot.ts';
import { notifyQuestions, statusQuestions, wallQuestions } from './ask-status.ts';
import { changeQuestions, pastBoardQuestions } from './ask-time.ts';
import { type Hit, hit, type SearchInput, to } from './hit.ts';
import { type KnownRelease, releaseKey } from './known-names.ts';
import { type PaletteEntry, paletteEntries } from './palette-entries.ts';
import { best, fit, near } from './ranking.ts';

const releasesMax = 6;
const namesMax = 8;
const untypedMax = 20;

/** Functions that each recognize one kind of question in the typed text. */
const questionKinds: readonly ((typed: string, input: SearchInput) => Hit[])[] = [
  comparisonQuestions,
  statusQuestions,
  notifyQuestions,
  wallQuestions,
  latestQuestions,
  lastGoodQuestions,
  releaseQuestions,
  changeQuestions,
  pastBoardQuestions,
  figureQuestions,
  teamFigureQuestions,
];

/**
 * The hits for a text, in groups. The group with the best hit comes first; each group has its best hit first. If nothing
 * matches, the names that share a word with the text.
 */
export function hitsFor(typed: string, input: SearchInput): Hit[] {
  const releases = typed.trim() === '' ? [] : releaseHits(typed, input);
  const groups = [releases, questions(typed, input, releases), destinations(typed, input)].map((hits) =>
    hits.sort((one, other) => other.score - one.score),
  );
  const top = (hits: readonly Hit[]) => hits[0]?.score ?? 0;
  const found = groups.sort((one, other) => top(other) - top(one)).flat();
  if (found.length > 0) return found;
  return destinations(typed, input, near).map((nearest) => ({ ...nearest, group: 'Nearest' }));
}

function releaseHits(typed: string, { names, found }: SearchInput): Hit[] {
  // Hits from the service replace those from the board, because the service knows better where a release is.
  const all = new Map([...names.releases, ...found].map((release) => [releaseKey(release), release]));
  const namesOf = ({ version, sha }: KnownRelease) => [...(version === null ? [] : [version]), ...shaNames(typed, sha)];
  return best(typed, all.values(), namesOf, releasesMax).map(({ value, score }) => {
    const { service, version, sha, where } = value;
    const release = version ?? sha ?? '';
    return hit('Releases', releaseKey(value), version ?? shortSha(release), to(releasePage({ service, release })), {
      isVersion: true,
      after: service,
      detail: version !== null && sha !== null && fit(typed, sha) ? `${shortSha(sha)} · ${where}` : where,
      score,
    });
  });
}

/** The commit, if the text is at least its first four digits. */
function shaNames(typed: string, sha: string | null): string[] {
  const begins = typed.trim().length >= 4 && sha?.toLowerCase().startsWith(typed.trim().toLowerCase());
  return sha !== null && begins ? [sha] : [];
}

function questions(typed: string, input: SearchInput, releases: readonly Hit[]): Hit[] {
  if (typed.trim() === '') return examples(input);
  const found = [...questionKinds.flatMap((find) => find(typed, input)), ...productionQuestion(typed, input, releases)];
  return found.filter(({ id }, index) => found.findIndex((other) => other.id === id) === index);
}

/** Example questions, each with the text that finds it. */
function examples(input: SearchInput): Hit[] {
  const [from, production] = input.stages.slice(-2).map((stage) => fromStage(stage).name);
  const sentences = [
    production === undefined ? 'what failed' : `failed in ${production}`,
    from !== undefined && production !== undefined ? `${from} vs ${production}` : '',
    'yesterday 14:05',
  ];
  const known = { ...input, ownership: noOwnership };
  return sentences.flatMap((typed) => {
    const [first] = [comparisonQuestions, statusQuestions, pastBoardQuestions].flatMap((find) => find(typed, known));
    return first ? [{ ...first, detail: `type “${typed}”`, score: 2 }] : [];
  });
}

/** The question "is this release in production?" for the best match among the releases. */
function productionQuestion(typed: string, { stages }: SearchInput, releases: readonly Hit[]): Hit[] {
  const production = stages.at(-1)?.environments;
  const [first] = [...releases].sort((one, other) => other.score - one.score);
  if (!first || !production) return [];
  return [releaseQuestion(typed.trim(), first.after, production.length === 1 ? production[0] : undefined, 20)];
}

function destinations(typed: string, input: SearchInput, score = fit): Hit[] {
  const isTyped = typed.trim() !== '';
  const hits = [
    ...(isTyped ? [...namedHits(typed, input, score), ...slotHits(typed, input)] : []),
    ...entryHits(typed, input, score),
  ];
  return hits.sort((one, other) => other.score - one.score).slice(0, isTyped ? namesMax : untypedMax);
}

function namedHits(typed: string, { board, stages, names, ownership, filter }: SearchInput, score: typeof fit): Hit[] {
  const of = (kind: string, values: Iterable<string>, leads: (name: string) => Partial<Address>) =>
    best(typed, values, (name) => [name], namesMax, score).map(({ value, score: fits }) =>
      hit('Go to', `${kind} ${value}`, value, to(leads(value)), { detail: kind, score: fits }),
    );
  const boardOf = (narrowed: Partial<Address['filter']>) => ({
    view: 'board' as const,
    filter: { ...filter, ...narrowed },
  });
  const several = new Map(stages.flatMap((stage) => (stage.environments.length > 1 ? [[stage.name, stage]] : [])));
  return [
    // A service is shown whatever the page's filter hides.
    ...of('service', board.rows.keys(), (name) => boardOf({ ...home.filter, services: [literalGlob(name)] })),
    ...of('stage', several.keys(), (name) =>
      boardOf({ environments: (several.get(name)?.environments ?? []).map(literalGlob) }),
    ),
    ...of('environment', board.environments, (name) => boardOf({ environments: [literalGlob(name)] })),
    ...of('team', teamsOf(ownership), (name) => boardOf({ teams: [name] })),
    ...of('actor', names.actors, (actor) => changesOf({ actor, range: { name: '7d' } })),
  ];
}

function entryHits(typed: string, { isOffered, presets }: SearchInput, score: typeof fit): Hit[] {
  const entries = paletteEntries(isOffered, presets);
  const namesOf = ({ title, synonyms }: PaletteEntry) => [title, ...synonyms];
  return best(typed, entries, namesOf, namesMax * 3, score).map(({ value, score: fits }) =>
    hit('Go to', value.title, value.title, value.does, { keys: value.keys, score: fits / 1.5 }),
  );
}
