import type { MatrixRow } from '@shiplog/contract';
import type { AheadSlots } from './ahead.ts';
import { type Board, environmentsOf } from './board.ts';
import { type Box, boxIn } from './box.ts';
import { type ColumnChoice, columnOrder, ladderRank } from './columns.ts';
import { newestFirst } from './event-order.ts';
import { type Filter, kinds, wantsEnvironment, wantsRow } from './filter.ts';
import { keptLast } from './kept-last.ts';
import { perRow } from './per-row.ts';

/** What the filters of a view let through. */
export interface Shown {
  /** Environments, from left to right. */
  readonly columns: readonly string[];
  readonly rows: readonly MatrixRow[];
  /** The slots of each kind of `only`, whether that is set or not. */
  readonly found: FoundByKind;
  readonly counts: Counts;
  /** Of the whole board, without any filter. */
  readonly all: Counts;
}

/** A slot of one of the kinds. */
export interface Found {
  readonly service: string;
  readonly environment: string;
  readonly box: Box;
}

type FoundByKind = Readonly<Record<keyof typeof kinds, readonly Found[]>>;

export interface Counts {
  readonly services: number;
  readonly environments: number;
  readonly failed: number;
  readonly running: number;
}

interface View {
  readonly filter: Filter;
  readonly columns: ColumnChoice;
}

/**
 * The board as a view has it. What the head counts, what a filter promises and what the board then shows are this one
 * answer. It is kept, since all of them ask for it; of a board that has changed only the rows that did are asked again.
 */
export const shownOf = keptLast(
  (board: Board, ladder: readonly string[], view: View, aheadSlots: AheadSlots): Shown => {
    const { services, environments, text, only } = view.filter;
    const columns = columnsOf(board.environments, ladder, view.columns, environments);
    const { isWanted, findIn } = asked(services, text, columns, aheadSlots);
    const all = [...board.rows.values()];
    const wanted = all.filter(isWanted);
    const rows = only ? wanted.filter((row) => findIn(row)[only].length > 0) : wanted;
    const found = joined(wanted.map(findIn));
    const isWhole = columns.length === board.environments.length;
    const foundAtAll = joined(all.map(isWhole ? findIn : askedOfAll(aheadSlots)));
    return {
      columns,
      rows,
      found,
      counts: countsOf(rows.length, columns.length, found),
      all: countsOf(all.length, board.environments.length, foundAtAll),
    };
  },
);

const columnsOf = keptLast(
  (
    environments: readonly string[],
    ladder: readonly string[],
    choice: ColumnChoice,
    globs: readonly string[],
  ): readonly string[] =>
    columnOrder(environments, ladder, choice).filter((name) => wantsEnvironment({ environments: globs }, name)),
);

const asked = keptLast(
  (services: readonly string[], text: string | undefined, columns: readonly string[], aheadSlots: AheadSlots) => ({
    isWanted: perRow((row) => wantsRow({ services, text }, row, columns, aheadSlots)),
    findIn: perRow((row) => foundIn(row, columns, aheadSlots)),
  }),
);

const askedOfAll = keptLast((aheadSlots: AheadSlots) => perRow((row) => foundIn(row, environmentsOf(row), aheadSlots)));

function foundIn(row: MatrixRow, environments: readonly string[], aheadSlots: AheadSlots): FoundByKind {
  const { service } = row;
  const boxes = environments.flatMap((environment) => {
    const box = boxIn(row, environment, aheadSlots);
    return box ? [{ service, environment, box }] : [];
  });
  return {
    failed: boxes.filter(({ box }) => kinds.failed(box)),
    running: boxes.filter(({ box }) => kinds.running(box)),
  };
}

function joined(parts: readonly FoundByKind[]): FoundByKind {
  return { failed: parts.flatMap(({ failed }) => failed), running: parts.flatMap(({ running }) => running) };
}

function countsOf(services: number, environments: number, { failed, running }: FoundByKind): Counts {
  return { services, environments, failed: failed.length, running: running.length };
}

/** The first `count`: the nearest to production by the ladder first, then the newest. */
export function mostUrgent(found: readonly Found[], ladder: readonly string[], count: number): Found[] {
  const rank = ladderRank(ladder, -1);
  const order = (one: Found, other: Found) =>
    rank(other.environment) - rank(one.environment) || newestFirst(one.box.latest, other.box.latest);
  const first: Found[] = [];
  // Thousands may have failed, and only a few are wanted with each change of the board.
  for (const each of found) {
    const last = first[count - 1];
    if (last && order(last, each) <= 0) continue;
    const at = first.findIndex((other) => order(each, other) < 0);
    first.splice(at < 0 ? first.length : at, 0, each);
    first.length = Math.min(first.length, count);
  }
  return first;
}
