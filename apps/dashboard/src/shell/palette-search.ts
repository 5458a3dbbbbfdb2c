import type { MatrixRow } from '@shiplog/contract';
import { shortSha } from '@shiplog/text';
import { byTime } from '../board/board.ts';
import { eventsOfRow } from '../board/box.ts';
import { noOwnership, teamsOf } from '../board/ownership.ts';
import { fromStage } from '../board/stages.ts';
import { type Address, changesOf, home, releasePage } from '../state/address.ts';
import { comparisonQuestions } from './ask-comparison.ts';
import { figureQuestions, teamFigureQuestions } from './ask-figures.ts';
import { releaseQuestion, releaseQuestions } from './ask-release.ts';
import { statusQuestions } from './ask-status.ts';
import { changeQuestions, pastBoardQuestions } from './ask-time.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, hit, type SearchInput, to } from './hit.ts';
import { type KnownRelease, releaseKey } from './known-names.ts';
import { paletteEntries } from './palette-entries.ts';
import { best, fit } from './ranking.ts';
import { wordsBut } from './typed-words.ts';

const releasesMax = 6;
const namesMax = 8;
const untypedMax = 20;

/** Functions that each recognize one kind of question in the typed text. */
const questionKinds: readonly ((typed: string, input: SearchInput) => Hit[])[] = [
  comparisonQuestions,
  statusQuestions,
  releaseQuestions,
  changeQuestions,
  pastBoardQuestions,
  figureQuestions,
  teamFigureQuestions,
];

/** The hits for a text, in groups. The group with the best hit comes first; each group has its best hit first. */
export function hitsFor(typed: string, input: SearchInput): Hit[] {
  const releases = typed.trim() === '' ? [] : releaseHits(typed, input);
  const groups = [releases, questions(typed, input, releases), destinations(typed, input)].map((hits) =>
    hits.sort((one, other) => other.score - one.score),
  );
  const top = (hits: readonly Hit[]) => hits[0]?.score ?? 0;
  return groups.sort((one, other) => top(other) - top(one)).flat();
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

function destinations(typed: string, input: SearchInput): Hit[] {
  const isTyped = typed.trim() !== '';
  const hits = [
    ...(isTyped ? [...namedHits(typed, input), ...slotHits(typed, input)] : []),
    ...entryHits(typed, input),
  ];
  return hits.sort((one, other) => other.score - one.score).slice(0, isTyped ? namesMax : untypedMax);
}

function namedHits(typed: string, { board, names, ownership }: SearchInput): Hit[] {
  const of = (kind: string, values: Iterable<string>, leads: (name: string) => Partial<Address>) =>
    best(typed, values, (name) => [name], namesMax).map(({ value, score }) =>
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
    ...of('actor', names.actors, (actor) => changesOf({ actor, range: { name: '7d' } })),
  ];
}

const fillers = new Set('in is of on the what which version runs running'.split(' '));

/** Understands "checkout preprod": finds the history of a slot. */
function slotHits(typed: string, input: SearchInput): Hit[] {
  const { board } = input;
  const words = wordsBut(typed, fillers);
  const last = words.pop() ?? '';
  const service = words.join(' ');
  if (service === '') return [];
  const [place] = placesNamed(last, input);
  const stage = place && place.environments.length > 1 ? place : undefined;
  const [environment] = stage ? [] : best(last, board.environments, (name) => [name], 1);
  if (!stage && !environment) return [];
  return best(service, board.rows.values(), (row) => [row.service], 3).map(({ value: row, score }) => {
    // Of a stage, the environment with the last deployment of the service.
    const name = environment?.value ?? lastDeployedIn(row, stage?.environments ?? []);
    const title = `${row.service} in ${name}`;
    const slot = { service: row.service, environment: name };
    return hit(
      'Go to',
      title,
      title,
      { to: { slot } },
      { detail: 'history', score: (score + (environment?.score ?? 80)) / 2 },
    );
  });
}

function lastDeployedIn(row: MatrixRow, environments: readonly string[]): string {
  const events = eventsOfRow(row).filter(({ environment }) => environments.includes(environment));
  return events.sort(byTime).at(-1)?.environment ?? environments[0] ?? '';
}

function entryHits(typed: string, { isOffered, presets }: SearchInput): Hit[] {
  const entries = paletteEntries(isOffered, presets);
  return best(typed, entries, ({ title, synonyms }) => [title, ...synonyms], namesMax * 3).map(({ value, score }) =>
    hit('Go to', value.title, value.title, value.does, { keys: value.keys, score: score / 1.5 }),
  );
}
