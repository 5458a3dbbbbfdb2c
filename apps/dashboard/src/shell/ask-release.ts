import { releasePage } from '../state/address.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, question, type SearchInput } from './hit.ts';
import { best } from './ranking.ts';
import { cleaned, wordsBut } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages'>;

const fillers = new Set(
  'is has was did does the a version release commit sha of in on to into from deployed live already reach reached arrived running run runs released yet where been there'.split(
    ' ',
  ),
);
const asking = /^(?:is|has|was|did|does|where)\b|\bin\b/i;

/** Understands "Is 4f2a91c in staging?", "4f2a91c staging", "where is 4.18 of checkout", in any word order. */
export function releaseQuestions(typed: string, known: Known): Hit[] {
  const words = wordsBut(typed, fillers);
  if (words.length === 0 || words.length > 3) return [];
  const text = cleaned(typed);
  const place = words.findLastIndex((word) => placesNamed(word, known).length > 0);
  const isWhere = /^where\b/i.test(text);
  if (place < 0 && !isWhere) return [];
  const environments =
    place < 0 ? [undefined] : placesNamed(words[place] ?? '', known).flatMap(({ environments: all }) => all);
  const rest = words.filter((_, index) => index !== place);
  const release = rest.find((word) => isRelease(word) && !isService(word, known)) ?? rest.find(isRelease);
  if (release === undefined) return [];
  const [other, ...more] = rest.filter((word) => word !== release);
  const [service] = other === undefined ? [] : best(other, known.board.rows.keys(), (name) => [name], 1);
  if (more.length > 0 || (other !== undefined && !service)) return [];
  const score = asking.test(text) ? 99 : isService(release, known) ? 40 : 96;
  return environments.map((environment) => releaseQuestion(release, service?.value, environment, score));
}

export function releaseQuestion(
  release: string,
  service: string | undefined,
  environment: string | undefined,
  score: number,
): Hit {
  const of = service === undefined ? '' : ` of ${service}`;
  const title = environment === undefined ? `Where is ${release}${of}?` : `Is ${release}${of} in ${environment}?`;
  return question(title, releasePage({ service, release, environment }), score, 'release page');
}

/** Whether a word may be a release: versions have a digit, commits hexadecimal digits. */
function isRelease(word: string): boolean {
  return /\d/.test(word) || /^[0-9a-f]{4,64}$/i.test(word);
}

function isService(word: string, { board }: Known): boolean {
  return [...board.rows.keys()].some((name) => name.toLowerCase().startsWith(word.toLowerCase()));
}
