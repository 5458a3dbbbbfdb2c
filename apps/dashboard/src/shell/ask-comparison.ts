import { comparisonOf } from '../state/address.ts';
import { environmentsNamed } from './environment-names.ts';
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
];

/** Understands "Compare staging with prod", "staging vs prod", "what is prod missing that staging has". */
export function comparisonQuestions(typed: string, known: Known): Hit[] {
  const text = cleaned(typed);
  const missing = missingPatterns.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (missing) {
    const [, target = '', source] = missing;
    const [into] = named(target, known);
    const [from] = source === undefined ? [before(into, known)] : named(source, known);
    return from && into && from !== into
      ? [question(`What is ${into} missing that ${from} has?`, pair(from, into), 97)]
      : [];
  }
  const isAsked = verb.test(text);
  const rest = text.replace(verb, '');
  const found = pairIn(rest, known);
  if (found) {
    const [from, into] = inOrder(found, known);
    return [question(`Compare ${from} with ${into}`, pair(from, into), isAsked ? 97 : 95)];
  }
  const [one] = isAsked ? named(rest, known) : [];
  const other = one === known.stages.at(-1) ? before(one, known) : known.stages.at(-1);
  if (!one || !other) return [];
  const [from, into] = inOrder([one, other], known);
  return [question(`Compare ${from} with ${into}`, pair(from, into), 97)];
}

function pair(from: string, into: string) {
  return comparisonOf({ from, to: into });
}

function named(text: string, { board, stages }: Known): readonly string[] {
  return environmentsNamed(text, board.environments, stages);
}

function before(environment: string | undefined, { stages }: Known): string | undefined {
  return environment === undefined ? undefined : stages[stages.indexOf(environment) - 1];
}

function pairIn(text: string, known: Known): readonly [string, string] | undefined {
  for (const [left, right] of cuts(text.split(' '))) {
    const [one] = named(left, known);
    const [other] = named(right.replace(connector, ''), known);
    if (one && other && one !== other) return [one, other];
  }
  return undefined;
}

/** The two environments in promotion order; as typed if the promotion order doesn't have both. */
function inOrder([one, other]: readonly [string, string], { stages }: Known): readonly [string, string] {
  const [first, second] = [stages.indexOf(one), stages.indexOf(other)];
  return first >= 0 && second >= 0 && second < first ? [other, one] : [one, other];
}
