import type { MatrixRow } from '@shiplog/contract';
import { slotStateIn } from './board.ts';

/** The columns that the viewer chose. Other columns follow by promotion order, then by name. */
export interface ColumnChoice {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/**
 * The environments from left to right: those that the viewer ordered, then the promotion order (case-insensitive, as in
 * the funnel), then the others in the order of the service, and production last.
 */
export function columnOrder(
  environments: readonly string[],
  promotionOrder: readonly string[],
  { order, hidden }: ColumnChoice,
): string[] {
  const production = productionOf(environments, promotionOrder);
  const rankOnOrder = stageRank(promotionOrder, promotionOrder.length);
  const rank = (name: string) => (name === production ? promotionOrder.length + 1 : rankOnOrder(name));
  const byStage = [...environments].sort((left, right) => rank(left) - rank(right));
  const chosen = order.filter((name) => environments.includes(name));
  return [...new Set([...chosen, ...byStage])].filter((name) => !hidden.includes(name));
}

export function stageRank(promotionOrder: readonly string[], otherwise: number): (environment: string) => number {
  const ranks = new Map(promotionOrder.map((name, index) => [name.toLowerCase(), index]));
  return (environment) => ranks.get(environment.toLowerCase()) ?? otherwise;
}

/** The environments that are in the promotion order (case-insensitive), in that order. */
export function stagesOf(environments: readonly string[], promotionOrder: readonly string[]): string[] {
  const rank = stageRank(promotionOrder, -1);
  return environments.filter((name) => rank(name) >= 0).sort((left, right) => rank(left) - rank(right));
}

/** Production: the last stage of the promotion order that the board has. */
export function productionOf(environments: readonly string[], promotionOrder: readonly string[]): string | undefined {
  return stagesOf(environments, promotionOrder).at(-1);
}

/** Moves a column by a number of positions, or to the end if there are fewer. */
export function moved(columns: readonly string[], name: string, by: number): string[] {
  const at = columns.indexOf(name);
  if (at < 0) return [...columns];
  const others = columns.filter((other) => other !== name);
  return others.toSpliced(Math.max(0, Math.min(others.length, at + by)), 0, name);
}

const rareShare = 0.25;
/** A single column is not folded, because that would save no space. */
const rareMin = 2;

/** The environments that under a quarter of these services use. Excludes stages and columns that the viewer ordered. */
export function rarelyUsed(
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
