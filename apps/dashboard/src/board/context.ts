import { promotionOrder } from '@shiplog/contract';
import { type Facts, noFacts } from './facts.ts';
import { type FutureRows, noFutureRows } from './future-rows.ts';
import { memoizeLast } from './memoize.ts';
import { type Notices, noNotices } from './notices.ts';
import { noOwnership, type Ownership } from './ownership.ts';
import { namedStages, type Stages, stagesOn } from './stages.ts';

export interface BoardContext {
  readonly stages: Stages;
  readonly futureRows: FutureRows;
  readonly ownership: Ownership;
  /** `noFacts` for a past board, because facts describe the present. */
  readonly facts: Facts;
  /** `noNotices` for a past board. */
  readonly notices: Notices;
}

export const noContext: BoardContext = {
  stages: stagesOn(promotionOrder, namedStages(promotionOrder)),
  futureRows: noFutureRows,
  ownership: noOwnership,
  facts: noFacts,
  notices: noNotices,
};

/** Returns the same object until one of its parts changes. */
export const boardContext = memoizeLast(
  (stages: Stages, futureRows: FutureRows, ownership: Ownership, facts: Facts, notices: Notices): BoardContext => ({
    stages,
    futureRows,
    ownership,
    facts,
    notices,
  }),
);
