import type { MatrixRow } from '@shiplog/contract';
import type { Board } from './board.ts';
import { perRow } from './per-row.ts';

export interface Counts {
  readonly running: number;
  readonly failed: number;
}

const countsOfRow = perRow(({ slots }: MatrixRow): Counts => {
  const statuses = Object.values(slots).map(({ current }) => current.status);
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
  return { running: count('in-progress'), failed: count('failure') };
});

/** How many slots of the board run, and how many have failed. */
export function countsOf(board: Board | undefined): Counts {
  let [running, failed] = [0, 0];
  for (const row of board?.rows.values() ?? []) {
    const counts = countsOfRow(row);
    running += counts.running;
    failed += counts.failed;
  }
  return { running, failed };
}
