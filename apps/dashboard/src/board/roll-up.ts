import type { MatrixRow } from '@shiplog/contract';
import { type Box, boxIn } from './box.ts';
import type { Column } from './columns.ts';
import type { FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePer, memoizePerRow } from './memoize.ts';

/** The kinds of boxes in a summary, worst first. */
const rollKinds = ['bad', 'run', 'wait', 'ahead', 'off', 'ok'] as const;
export type RollKind = (typeof rollKinds)[number];

/** The count of each kind that occurs, worst first. */
export type RollUp = readonly { readonly kind: RollKind; readonly count: number }[];

const words: Readonly<Record<RollKind, string>> = {
  bad: 'failed',
  run: 'running',
  wait: 'waiting for the first deployment',
  ahead: 'dated ahead',
  off: 'called off',
  ok: 'succeeded',
};

/** The kind of a box. Failures and running deployments keep their kind even if they are dated in the future. */
export function kindOf({ tone, isInFuture }: Box): RollKind {
  return isInFuture && tone !== 'bad' && tone !== 'run' ? 'ahead' : tone;
}

export function rankOf(box: Box): number {
  return rollKinds.indexOf(kindOf(box));
}

/** For each row, the worst kind of its boxes in each column, as an index into `rollKinds`; -1 = never deployed. */
const kindsIn = memoizePer((columns: readonly Column[]) =>
  memoizeLast((futureRows: FutureRows) =>
    memoizePerRow((row) =>
      columns.map(({ environments }) => {
        const ranks = environments.flatMap((name) => boxIn(row, name, futureRows) ?? []).map(rankOf);
        return ranks.length > 0 ? Math.min(...ranks) : -1;
      }),
    ),
  ),
);

/** The number of services of each kind in a column, by default in all columns. */
export function rollUpOf(
  rows: readonly MatrixRow[],
  columns: readonly Column[],
  futureRows: FutureRows,
  column?: number,
): RollUp {
  const counts = rollKinds.map(() => 0);
  for (const kinds of rows.map(kindsIn(columns)(futureRows))) {
    const own = column === undefined ? kinds : [kinds[column] ?? -1];
    for (const kind of own) if (kind >= 0) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return withCounts(counts);
}

export function rollUpOfBoxes(boxes: readonly Box[]): RollUp {
  return withCounts(rollKinds.map((kind) => boxes.filter((box) => kindOf(box) === kind).length));
}

function withCounts(counts: readonly number[]): RollUp {
  return rollKinds.map((kind, index) => ({ kind, count: counts[index] ?? 0 })).filter(({ count }) => count > 0);
}

/** "1 failed, 6 succeeded"; "never deployed" if empty. */
export function rollUpSentence(rollUp: RollUp): string {
  return rollUp.map(({ kind, count }) => `${count} ${words[kind]}`).join(', ') || 'never deployed';
}
