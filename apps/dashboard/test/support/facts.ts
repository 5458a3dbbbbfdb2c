import type { BoardFacts, PlaceFacts } from '@shiplog/contract';
import { type Facts, factsOf } from '../../src/board/facts.ts';

const nothing = { stuck: null, slow: null, behind: null, hidden: null, usual: null, findings: [] };

/** Facts about places, by default the place `a` in `qa`, that include all events up to an id. */
export function someFacts(
  places: readonly Partial<PlaceFacts>[],
  position = '9',
  emitters: BoardFacts['emitters'] = [],
): Facts {
  return factsOf(
    { places: places.map((place) => ({ service: 'a', environment: 'qa', ...nothing, ...place })), emitters },
    position,
  );
}
