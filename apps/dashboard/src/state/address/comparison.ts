import { partOf, type StateOf, text, word } from '../address-part.ts';

export const comparisonKinds = [
  'differ',
  'ahead',
  'arriving',
  'behind',
  'diverged',
  'only-from',
  'only-to',
  'same',
] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** The orders of the list: the furthest behind first, or by the age of the difference. */
export const comparisonOrders = ['behind', 'oldest', 'newest'] as const;
export const comparisonAges = ['1d', '3d', '7d', '30d'] as const;
export type ComparisonAge = (typeof comparisonAges)[number];

/** The two environments to compare: by default two adjacent stages. */
export const comparisonPart = partOf({
  from: text('source'),
  to: text('target'),
  /** Lists only the services for which `from` relates to `to` in this way. */
  kind: word('relation', comparisonKinds, 'differ'),
  sort: word('sort', comparisonOrders, 'behind'),
  /** Lists only the services that differ for longer. */
  older: word('older', comparisonAges),
});

export type ComparisonState = StateOf<typeof comparisonPart>;
