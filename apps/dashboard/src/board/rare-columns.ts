import type { MatrixRow } from '@shiplog/contract';
import { standingIn } from './board.ts';
import { type ColumnChoice, ladderRank } from './columns.ts';

const rareShare = 0.25;
/** A single column that folds would save nothing. */
const rareMin = 2;

/**
 * The environments that fewer than a quarter of these services use, and that are neither on the ladder nor put in order by
 * the viewer.
 */
export function rareColumns(
  columns: readonly string[],
  rows: readonly MatrixRow[],
  ladder: readonly string[],
  { order }: Pick<ColumnChoice, 'order'>,
): ReadonlySet<string> {
  const rank = ladderRank(ladder, -1);
  const isRare = (name: string) => {
    const uses = rows.reduce((sum, row) => sum + Number(standingIn(row, name) !== undefined), 0);
    return uses < rareShare * rows.length;
  };
  const rare = columns.filter((name) => rank(name) < 0 && !order.includes(name) && isRare(name));
  return new Set(rare.length >= rareMin ? rare : []);
}
