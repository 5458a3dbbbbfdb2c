import type { MatrixRow } from '@shiplog/contract';
import { slotStateIn } from './board.ts';
import { type ColumnChoice, stageRank } from './columns.ts';

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
  promotionOrder: readonly string[],
  { order }: Pick<ColumnChoice, 'order'>,
): ReadonlySet<string> {
  const rank = stageRank(promotionOrder, -1);
  const isRare = (name: string) => {
    const uses = rows.reduce((sum, row) => sum + Number(slotStateIn(row, name) !== undefined), 0);
    return uses < rareShare * rows.length;
  };
  const rare = columns.filter((name) => rank(name) < 0 && !order.includes(name) && isRare(name));
  return new Set(rare.length >= rareMin ? rare : []);
}
