import type { MatrixRow } from '@shiplog/contract';
import { type Box, boxIn } from './box.ts';
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
function kindOf({ tone, isInFuture }: Box): RollKind {
  return isInFuture && tone !== 'bad' && tone !== 'run' ? 'ahead' : tone;
}

/** For each row, the kind of its box in each of these columns, as an index into `rollKinds`; -1 = never deployed. */
const kindsIn = memoizePer((columns: readonly string[]) =>
  memoizeLast((futureRows: FutureRows) =>
    memoizePerRow((row) =>
      columns.map((environment) => {
        const box = boxIn(row, environment, futureRows);
        return box ? rollKinds.indexOf(kindOf(box)) : -1;
      }),
    ),
  ),
);

/** The summary of some rows in the columns from `from` to `until` (exclusive), by default all columns. */
export function rollUpOf(
  rows: readonly MatrixRow[],
  columns: readonly string[],
  futureRows: FutureRows,
  { from = 0, until = columns.length }: { readonly from?: number; readonly until?: number } = {},
): RollUp {
  const counts = rollKinds.map(() => 0);
  for (const ofRow of rows.map(kindsIn(columns)(futureRows))) {
    for (let column = from; column < until; column += 1) {
      const kind = ofRow[column] ?? -1;
      if (kind >= 0) counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return withCounts(counts);
}

export function joinedRollUp(parts: readonly RollUp[]): RollUp {
  const sumOf = (kind: RollKind) =>
    parts.reduce((sum, part) => sum + (part.find((each) => each.kind === kind)?.count ?? 0), 0);
  return withCounts(rollKinds.map(sumOf));
}

function withCounts(counts: readonly number[]): RollUp {
  return rollKinds.map((kind, index) => ({ kind, count: counts[index] ?? 0 })).filter(({ count }) => count > 0);
}

/** "1 failed, 6 succeeded"; "never deployed" if empty. */
export function rollUpSentence(rollUp: RollUp): string {
  return rollUp.map(({ kind, count }) => `${count} ${words[kind]}`).join(', ') || 'never deployed';
}
