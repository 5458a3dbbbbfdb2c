import type { AddressPart } from '../address-part.ts';

/** Which board is shown. */
export interface PastState {
  /** The time of a past board; `now` = the current board with the time travel bar; `undefined` = without it. */
  readonly asof: string | undefined;
}

export const pastPart: AddressPart<PastState> = {
  home: { asof: undefined },
  read: (query) => ({ asof: query.word('asof', ['now']) ?? query.instant('asof') }),
  write: ({ asof }) => [['asof', asof]],
};
