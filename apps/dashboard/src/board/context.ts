import { promotionOrder } from '@shiplog/contract';
import { productionOf } from './columns.ts';
import { type Facts, noFacts } from './facts.ts';
import { type FutureRows, noFutureRows } from './future-rows.ts';
import { memoizeLast } from './memoize.ts';
import { noOwnership, type Ownership } from './ownership.ts';

export interface BoardContext {
  readonly promotionOrder: readonly string[];
  readonly futureRows: FutureRows;
  readonly ownership: Ownership;
  /** The last stage of the promotion order that the board has, as spelled on the board. */
  readonly production: string | undefined;
  /** `noFacts` for a past board, because facts describe the present. */
  readonly facts: Facts;
}

export const noContext: BoardContext = {
  promotionOrder,
  futureRows: noFutureRows,
  ownership: noOwnership,
  production: undefined,
  facts: noFacts,
};

/** Returns the same object until one of its parts changes. */
export const boardContext = memoizeLast(
  (
    promotionOrder: readonly string[],
    futureRows: FutureRows,
    ownership: Ownership,
    environments: readonly string[],
    facts: Facts,
  ): BoardContext => ({
    promotionOrder,
    futureRows,
    ownership,
    production: productionOf(environments, promotionOrder),
    facts,
  }),
);
