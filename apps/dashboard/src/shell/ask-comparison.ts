import { type EnvironmentOrStage, fromStage } from '../board/stages.ts';
import { type ComparisonAge, comparisonAges } from '../state/address/comparison.ts';
import { comparisonOf } from '../state/address.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, question, type SearchInput } from './hit.ts';
import { cleaned, cuts } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages'>;

const verb = /^(?:compare|comparison(?: of)?|diff(?:er|erences?)?(?: between| of)?)\s+/i;
const connector = /^(?:with|and|vs\.?|versus|against|to|from|→|->)\s+/i;
const missingPatterns = [
  /^what (?:does )?(.+?) lacks?(?: (?:of|from) (.+))?$/i,
  /^what(?: is|['’]s) (.+?) missing(?: that (.+?) has)?$/i,
  /^what(?: is|['’]s) missing (?:in|on|from) (.+?)(?: (?:of|from) (.+))?$/i,
  /^what (?:would|will) (?:reach|go to|come to) (.+?)(?: from (.+))?$/i,
  /^(?:(?:what|which services)(?: (?:is|are)|['’]s)? )?not (?:yet )?(?:in|on) (.+?)()?$/i,
];
const waiting =
  /^(?:(?:what|which services)(?: (?:is|are)|['’]s)? )?(?:in |on )?(.+?),? (?:and |but )*not (?:yet )?(?:in|on) (.+)$/i;
const older = /,? (?:(?:for )?(?:more|longer) than|older than|since|for|over) (\d+) ?d(?:ays?)?$/i;

/** Understands "Compare staging with prod", "staging vs prod", "what is prod missing that staging has". */
export function comparisonQuestions(typed: string, known: Known): Hit[] {
  const whole = cleaned(typed);
  const text = whole.replace(older, '');
  const age = comparisonAges.findLast((each) => Number.parseInt(each, 10) <= Number(older.exec(whole)?.[1] ?? 0));
  const [there, lacking] = (waiting.exec(text)?.slice(1) ?? []).map((name) => placesNamed(name, known)[0]);
  if (there && lacking) return missingIn(there, lacking, age);
  const missing = missingPatterns.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (missing) {
    const [, target = '', source] = missing;
    const [into] = placesNamed(target, known);
    const from = source === undefined ? before(into, known) : placesNamed(source, known)[0];
    return missingIn(from, into, age);
  }
  const isAsked = verb.test(text);
  const rest = text.replace(verb, '');
  const found = pairIn(rest, known);
  if (found) {
    const [from, into] = inOrder(found, known);
    return [question(`Compare ${from.name} with ${into.name}`, pair(from, into), isAsked ? 97 : 95)];
  }
  const [one] = isAsked ? placesNamed(rest, known) : [];
  const last = known.stages.at(-1);
  const production = last && fromStage(last);
  const other = one && one.reference === production?.reference ? before(one, known) : production;
  if (!one || !other) return [];
  const [from, into] = inOrder([one, other], known);
  return [question(`Compare ${from.name} with ${into.name}`, pair(from, into), 97)];
}

function missingIn(
  from: EnvironmentOrStage | undefined,
  into: EnvironmentOrStage | undefined,
  age: ComparisonAge | undefined,
): Hit[] {
  if (!from || !into || from.reference === into.reference) return [];
  const since = age ? ` for more than ${age.replace('d', '')} ${age === '1d' ? 'day' : 'days'}` : '';
  const title = `What is ${into.name} missing that ${from.name} has${since}?`;
  return [question(title, comparisonOf({ from: from.reference, to: into.reference, older: age }), 97)];
}

function pair(from: EnvironmentOrStage, into: EnvironmentOrStage) {
  return comparisonOf({ from: from.reference, to: into.reference });
}

/** The index of a place's stage in the promotion order; -1 = none. */
function rankOf({ environments: [first = ''] }: EnvironmentOrStage, { stages }: Known): number {
  return stages.findIndex(({ environments }) => environments.includes(first));
}

/** The stage before that of a place. */
function before(place: EnvironmentOrStage | undefined, known: Known): EnvironmentOrStage | undefined {
  const stage = place && known.stages[rankOf(place, known) - 1];
  return stage && fromStage(stage);
}

function pairIn(text: string, known: Known): readonly [EnvironmentOrStage, EnvironmentOrStage] | undefined {
  for (const [left, right] of cuts(text.split(' '))) {
    const [one] = placesNamed(left, known);
    const [other] = placesNamed(right.replace(connector, ''), known);
    if (one && other && one.reference !== other.reference) return [one, other];
  }
  return undefined;
}

/** The two places in promotion order; as typed if the promotion order doesn't have both. */
function inOrder(
  [one, other]: readonly [EnvironmentOrStage, EnvironmentOrStage],
  known: Known,
): readonly [EnvironmentOrStage, EnvironmentOrStage] {
  const [first, second] = [rankOf(one, known), rankOf(other, known)];
  return first >= 0 && second >= 0 && second < first ? [other, one] : [one, other];
}
