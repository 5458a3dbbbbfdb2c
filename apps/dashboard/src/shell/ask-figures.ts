import type { EvidenceFigure } from '@shiplog/contract';
import { teamsOf } from '../board/ownership.ts';
import { type Address, home } from '../state/address.ts';
import { filtersNamed, type KnownPlaces } from './ask-status.ts';
import { type Hit, question } from './hit.ts';
import { best } from './ranking.ts';
import { cleaned } from './typed-words.ts';

const figures: readonly (readonly [words: string, title: string, figure: EvidenceFigure | undefined])[] = [
  ['(?:change )?failure rate|fail rate|how many failed', 'Change failure rate', 'change_failure_rate'],
  ['(?:deployment )?frequency|how often', 'Deployment frequency', 'deployment_frequency'],
  ['lead time|how long to prod(?:uction)?', 'Lead time', 'lead_time'],
  ['time to (?:restore|repair)|mttr|how long to (?:restore|repair)', 'Time to restore', 'time_to_restore'],
  ['analytics|figures|metrics|dora|statistics', 'Analytics', undefined],
];
const patterns = figures.map(([words, title, figure]) => ({
  pattern: new RegExp(`^(?:(.+?)(?:['’]s?)? )?(?:${words})(?: (?:of|for|in) (?:team |the team )?(.+))?$`, 'i'),
  title,
  figure,
}));

/** Understands "Failure rate", "failure rate of Orders", "Orders lead time". */
export function figureQuestions(typed: string, known: KnownPlaces): Hit[] {
  return patterns.flatMap(({ pattern, title, figure }) => {
    const found = pattern.exec(cleaned(typed));
    if (!found) return [];
    const of = found[2] ?? (found[1] ?? '').replace(/^(?:what is |how is )?(?:the )?(?:team )?/i, '');
    return filtersNamed(of, known).map(({ words, filter }) =>
      // The word "analytics" scores low here, because it also finds the view by name.
      question(
        `${title}${words}`,
        figurePage(filter, figure),
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

function figurePage(filter: Partial<Address['filter']>, evidence: EvidenceFigure | undefined): Partial<Address> {
  return {
    view: 'analytics',
    filter: { ...home.filter, ...filter },
    figures: { ...home.figures, evidence },
  };
}
