import { promotionOrder } from '@shiplog/contract';
import { productionOf } from './columns.ts';
import { type Drifts, noDrifts } from './drift.ts';
import { type FutureRows, noFutureRows } from './future-rows.ts';
import { memoizeLast } from './memoize.ts';
import { noOwnership, type Ownership } from './ownership.ts';

export interface BoardContext {
  readonly promotionOrder: readonly string[];
  readonly futureRows: FutureRows;
  readonly ownership: Ownership;
  /** The last stage of the promotion order that the board has, as spelled on the board. */
  readonly production: string | undefined;
  readonly drifts: Drifts;
}

export const noContext: BoardContext = {
  promotionOrder,
  futureRows: noFutureRows,
  ownership: noOwnership,
  production: undefined,
  drifts: noDrifts,
};

/** Returns the same object until one of its parts changes. */
export const boardContext = memoizeLast(
  (
    promotionOrder: readonly string[],
    futureRows: FutureRows,
    ownership: Ownership,
    environments: readonly string[],
    drifts: Drifts,
  ): BoardContext => ({
    promotionOrder,
    futureRows,
    ownership,
    production: productionOf(environments, promotionOrder),
    drifts,
  }),
);
