import { instant, partOf, type StateOf, text, word } from '../address-part.ts';

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

/** What is compared: two environments (by default two adjacent stages), or a time and now. */
export const comparisonPart = partOf({
  from: text('source'),
  to: text('target'),
  /** A time to compare with now, for the environment `to` or for all environments. */
  earlier: instant('then'),
  /** Lists only the services for which `from` relates to `to` in this way. */
  kind: word('relation', comparisonKinds, 'differ'),
});

export type ComparisonState = StateOf<typeof comparisonPart>;
