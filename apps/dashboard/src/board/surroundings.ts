import { promotionOrder } from '@shiplog/contract';
import { type AheadSlots, noneAhead } from './ahead.ts';
import { productionOf } from './columns.ts';
import { type Drifts, noDrifts } from './drift.ts';
import { keptLast } from './kept-last.ts';
import { nobodys, type Whose } from './whose.ts';

/** What is known beside the board itself. */
export interface Surroundings {
  /** The order of promotion. */
  readonly ladder: readonly string[];
  readonly aheadSlots: AheadSlots;
  readonly whose: Whose;
  /** The last environment of the ladder that the board has, in the board's spelling. */
  readonly production: string | undefined;
  /** How slots are to the stage before them. */
  readonly drifts: Drifts;
}

export const noSurroundings: Surroundings = {
  ladder: promotionOrder,
  aheadSlots: noneAhead,
  whose: nobodys,
  production: undefined,
  drifts: noDrifts,
};

/** The same object as long as all of it is the same. */
export const surroundingsOf = keptLast(
  (
    ladder: readonly string[],
    aheadSlots: AheadSlots,
    whose: Whose,
    environments: readonly string[],
    drifts: Drifts,
  ): Surroundings => ({
    ladder,
    aheadSlots,
    whose,
    production: productionOf(environments, ladder),
    drifts,
  }),
);
