import { rfcInstant } from '../../board/instant.ts';
import { longestMs, type Range, rangeNames } from '../../range/range.ts';
import type { AddressPart } from '../address-part.ts';

/** The time range of a view: `range=24h`, or `from` with or without `to`; `undefined` = the default of the view. */
export const rangePart: AddressPart<Range | undefined> = {
  home: undefined,
  names: ['from', 'to', 'range'],
  read: (query) => {
    const [from, to] = ['from', 'to'].map((name) => rfcInstant(query.get(name) ?? undefined));
    if (from !== undefined) return query.has('to') && !isRange(from, to) ? undefined : { from, to };
    const name = rangeNames.find((each) => each === query.get('range'));
    return name === undefined ? undefined : { name };
  },
  write: (range) => [
    ['from', range?.name === undefined ? range?.from : undefined],
    ['to', range?.name === undefined ? range?.to : undefined],
    ['range', range?.name],
  ],
};

function isRange(from: string, to: string | undefined): boolean {
  const length = Date.parse(to ?? '') - Date.parse(from);
  return length > 0 && length <= longestMs;
}
