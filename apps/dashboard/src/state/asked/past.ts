import type { Asked } from '../asked.ts';

/** Which board is asked for. */
export interface PastAsked {
  /** The instant of a past board; `now` = the board as it is, with what leads into the past; `undefined` = without that. */
  readonly asof: string | undefined;
}

export const pastAsked: Asked<PastAsked> = {
  home: { asof: undefined },
  read: (query) => ({ asof: query.word('asof', ['now']) ?? query.instant('asof') }),
  say: ({ asof }) => [['asof', asof]],
};
