import type { AddressPart } from '../address-part.ts';

/** Which board is asked for. */
export interface PastState {
  /** The instant of a past board; `now` = the board as it is, with what leads into the past; `undefined` = without that. */
  readonly asof: string | undefined;
}

export const pastPart: AddressPart<PastState> = {
  home: { asof: undefined },
  read: (query) => ({ asof: query.word('asof', ['now']) ?? query.instant('asof') }),
  say: ({ asof }) => [['asof', asof]],
};
