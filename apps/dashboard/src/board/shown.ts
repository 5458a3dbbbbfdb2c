import type { MatrixRow } from '@shiplog/contract';
import type { Board } from './board.ts';
import { boxIn, isFailing, isRunning, type SlotBox, slotBoxesIn } from './box.ts';
import { type ColumnChoice, columnOrder } from './columns.ts';
import type { BoardContext } from './context.ts';
import { driftIn } from './drift.ts';
import { noFacts } from './facts.ts';
import { type Filter, wantsEnvironment, wantsRow } from './filter.ts';
import type { FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePerRow } from './memoize.ts';
import type { Ownership } from './ownership.ts';
import type { Stages } from './stages.ts';

export interface Shown {
  /** The environments, from left to right. */
  readonly columns: readonly string[];
  readonly rows: readonly MatrixRow[];
  /** The rows before `only` applies. */
  readonly matching: readonly MatrixRow[];
  /** For each value of `only`, the slots that it selects. */
  readonly found: FoundByKind;
  readonly counts: Counts;
  /** The whole board. */
  readonly all: Pick<Counts, 'services' | 'environments'>;
}

type FoundByKind = Readonly<Record<NonNullable<Filter['only']>, readonly SlotBox[]>>;
type FoundInBoxes = Pick<FoundByKind, 'failed' | 'running'>;

export interface Counts {
  readonly services: number;
  readonly environments: number;
  readonly failed: number;
  readonly running: number;
  /** The number of services that are behind; `undefined` = not known yet. */
  readonly behind: number | undefined;
}

/** The part of the board that a view shows; cached, because the header, the filter chips and the grid all use it. */
export const shownOf = memoizeLast(
  (board: Board, view: { readonly filter: Filter; readonly columns: ColumnChoice }, context: BoardContext): Shown => {
    const { environments, only } = view.filter;
    const { stages, futureRows, ownership, facts } = context;
    const columns = columnsOf(board.environments, stages, view.columns, environments);
    const { isWanted, findIn } = matchersFor(view.filter, columns, futureRows, ownership);
    const behindOf = (row: MatrixRow) => behindIn(row, columns, context);
    const all = [...board.rows.values()];
    const matching = all.filter(isWanted);
    const has = (row: MatrixRow) => (only === 'behind' ? behindOf(row) : only ? findIn(row)[only] : [row]).length > 0;
    const rows = only ? matching.filter(has) : matching;
    const inBoxes = matching.map(findIn);
    const found = {
      failed: inBoxes.flatMap(({ failed }) => failed),
      running: inBoxes.flatMap(({ running }) => running),
      behind: matching.flatMap(behindOf),
    };
    return {
      columns,
      rows,
      matching,
      found,
      counts: {
        services: rows.length,
        environments: columns.length,
        failed: found.failed.length,
        running: found.running.length,
        behind: facts === noFacts ? undefined : found.behind.length,
      },
      all: { services: all.length, environments: board.environments.length },
    };
  },
);

const columnsOf = memoizeLast(
  (
    environments: readonly string[],
    stages: Stages,
    choice: ColumnChoice,
    globs: readonly string[],
  ): readonly string[] =>
    columnOrder(environments, stages, choice).filter((name) => wantsEnvironment({ environments: globs }, name)),
);

const matchersFor = memoizeLast(
  (filter: Filter, columns: readonly string[], futureRows: FutureRows, ownership: Ownership) => ({
    isWanted: memoizePerRow((row) => wantsRow(filter, row, columns, { futureRows, ownership })),
    findIn: memoizePerRow((row) => foundIn(row, columns, futureRows)),
  }),
);

function foundIn(row: MatrixRow, environments: readonly string[], futureRows: FutureRows): FoundInBoxes {
  const { service } = row;
  const found: Record<keyof FoundInBoxes, SlotBox[]> = { failed: [], running: [] };
  for (const environment of environments) {
    const box = boxIn(row, environment, futureRows);
    if (box && isFailing(box)) found.failed.push({ service, environment, box });
    if (box && isRunning(box)) found.running.push({ service, environment, box });
  }
  return found;
}

function behindIn(row: MatrixRow, environments: readonly string[], { facts, futureRows }: BoardContext): SlotBox[] {
  if (!facts.places.has(row.service)) return [];
  const behind = environments.filter((environment) => driftIn(row, environment, facts));
  return slotBoxesIn(row, behind, futureRows);
}
