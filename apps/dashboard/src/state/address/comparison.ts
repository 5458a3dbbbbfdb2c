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

/** What is compared: two environments (by default two neighbouring stages), or one time with now. */
export const comparisonPart = partOf({
  from: text('source'),
  to: text('target'),
  /** A time: what ran then is compared with what runs now, in `to` or in all environments. */
  earlier: instant('then'),
  /** Which services are listed, by how `from` relates to `to`. */
  kind: word('relation', comparisonKinds, 'differ'),
});

export type ComparisonState = StateOf<typeof comparisonPart>;
