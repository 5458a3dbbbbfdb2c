import type { AddressPart } from '../address-part.ts';

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
export interface ComparisonState {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** A time: what ran then is compared with what runs now, in `to` or in all environments. */
  readonly earlier: string | undefined;
  /** Which services are listed, by how `from` relates to `to`. */
  readonly kind: ComparisonKind;
}

export const comparisonPart: AddressPart<ComparisonState> = {
  home: { from: undefined, to: undefined, earlier: undefined, kind: 'differ' },
  read: (query) => ({
    from: query.text('source'),
    to: query.text('target'),
    earlier: query.instant('then'),
    kind: query.word('relation', comparisonKinds) ?? 'differ',
  }),
  write: ({ from, to, earlier, kind }) => [
    ['source', from],
    ['target', to],
    ['then', earlier],
    ['relation', kind === 'differ' ? undefined : kind],
  ],
};
