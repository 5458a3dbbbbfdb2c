import type { EvidenceFigure } from '@shiplog/contract';
import { teamsOf } from '../board/ownership.ts';
import type { Range } from '../range/range.ts';
import { rangeInSentence } from '../range/range-words.ts';
import { typedRange } from '../range/typed-range.ts';
import { type Address, home } from '../state/address.ts';
import { filtersNamed, type KnownPlaces } from './ask-status.ts';
import { type Hit, question, type SearchInput } from './hit.ts';
import { best } from './ranking.ts';
import { cleaned, cuts } from './typed-words.ts';

const figures: readonly (readonly [words: string, title: string, figure: EvidenceFigure | undefined])[] = [
  ['(?:change )?failure rate|fail rate|how many failed', 'Change failure rate', 'change_failure_rate'],
  ['(?:deployment |deploy )?frequency|how often', 'Deployment frequency', 'deployment_frequency'],
  ['lead time|how long to prod(?:uction)?', 'Lead time', 'lead_time'],
  ['time to (?:restore|repair)|mttr|how long to (?:restore|repair)', 'Time to restore', 'time_to_restore'],
  ['analytics|figures|metrics|dora|statistics', 'Analytics', undefined],
];
const patterns = figures.map(([words, title, figure]) => ({
  pattern: new RegExp(`^(?:(.+?)(?:['’]s?)? )??(?:${words})(?: (?:(?:of|for|in) )?(?:the )?(?:team )?(.+))?$`, 'i'),
  title,
  figure,
}));

type Known = KnownPlaces & Pick<SearchInput, 'nowMs'>;

const against =
  / (?:compared (?:with|to)|against|vs\.?|versus|and) (?:the )?(?:last|previous|one before|month before|period before)\b.*$/i;

/** Understands "Failure rate", "failure rate of Orders", "Orders lead time this month compared with last month". */
export function figureQuestions(typed: string, known: Known): Hit[] {
  const text = cleaned(typed);
  const { rest, range } = withoutRange(text.replace(against, ''), known.nowMs);
  const asked: Partial<Address> = range ? { range } : {};
  const compare = against.test(text);
  return patterns.flatMap(({ pattern, title, figure }) => {
    const found = pattern.exec(rest);
    if (!found) return [];
    const of = found[2] ?? (found[1] ?? '').replace(/^(?:what is |how is )?(?:the )?(?:team )?/i, '');
    return filtersNamed(of, known).map(({ words, filter }) =>
      // The word "analytics" scores low here, because it also finds the view by name.
      question(
        `${title}${words}${range ? `, ${rangeInSentence(range, known.nowMs)}` : ''}${compare ? ', compared' : ''}`,
        { ...figurePage(filter, figure, compare), ...asked },
        words === '' && figure === undefined ? 50 : 96,
        'analytics',
      ),
    );
  });
}

export function teamFigureQuestions(typed: string, { ownership }: KnownPlaces): Hit[] {
  return best(typed, teamsOf(ownership), (name) => [name], 1).map(({ value, score }) =>
    question(
      `Change failure rate for ${value}`,
      figurePage({ teams: [value] }, 'change_failure_rate'),
      score - 3,
      'analytics',
    ),
  );
}

/** A text that ends with a range, such as "this month", without it. */
function withoutRange(text: string, nowMs: number): { readonly rest: string; readonly range: Range | undefined } {
  for (const [rest, last] of cuts(text.split(' '))) {
    const range = typedRange(last, nowMs);
    if (range) return { rest, range };
  }
  return { rest: text, range: undefined };
}

function figurePage(
  filter: Partial<Address['filter']>,
  evidence: EvidenceFigure | undefined,
  compare = false,
): Partial<Address> {
  return {
    view: 'analytics',
    filter: { ...home.filter, ...filter },
    // The comparison is on the cards.
    figures: { ...home.figures, evidence: compare ? undefined : evidence, compare },
  };
}
