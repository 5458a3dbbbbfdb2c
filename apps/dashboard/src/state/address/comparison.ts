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

/** "What would reach this environment from that one?"; what is not said follows from the ladder. Or "what changed since then?". */
export interface ComparisonState {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** An instant: what ran then is compared with what runs now, in `to`, or everywhere where that is not said. */
  readonly earlier: string | undefined;
  /** Which services are listed, by how `from` is to `to`. */
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
  say: ({ from, to, earlier, kind }) => [
    ['source', from],
    ['target', to],
    ['then', earlier],
    ['relation', kind === 'differ' ? undefined : kind],
  ],
};
