import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { type Board, environmentsOf } from '../board/board.ts';
import { boxIn, eventShown } from '../board/box.ts';
import { lastSuccessIn } from '../board/drift.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { sameRelease } from './same-release.ts';

type ChangeKind = 'replaced' | 'first' | 'failed' | 'arriving' | 'again' | 'same';

/** One slot at the earlier and the later time. */
export interface Change {
  readonly service: string;
  readonly environment: string;
  readonly kind: ChangeKind;
  /** The last success at each time. */
  readonly before: DeploymentEvent | undefined;
  readonly after: DeploymentEvent | undefined;
  /** A failed or running attempt after the last success. */
  readonly attempt: DeploymentEvent | undefined;
  readonly newest: DeploymentEvent | undefined;
}

/** Compares all slots with a success or an attempt; newest change first, unchanged slots last. */
export function changesBetween(earlier: Board, now: Board, wants: Wants, futureRows: FutureRows): Change[] {
  const changes = [...now.rows.values()].flatMap((row) =>
    environmentsOf(row)
      .filter((environment) => wants(row.service, environment))
      .flatMap((environment) => changeIn(earlier.rows.get(row.service), row, environment, futureRows) ?? []),
  );
  const atMs = ({ newest }: Change) => (newest ? Date.parse(newest.happened_at) : 0);
  return changes.sort((one, other) => atMs(other) - atMs(one));
}

type Wants = (service: string, environment: string) => boolean;

function changeIn(
  thenRow: MatrixRow | undefined,
  row: MatrixRow,
  environment: string,
  futureRows: FutureRows,
): Change | undefined {
  const before = thenRow && lastSuccessIn(thenRow, environment);
  const after = lastSuccessIn(row, environment);
  const attempt = attemptIn(row, environment, futureRows);
  if (!after && !attempt) return undefined;
  const isNewAttempt = attempt && attempt.id !== (thenRow && attemptIn(thenRow, environment, new Map()))?.id;
  const kind = kindOf(before, after, isNewAttempt ? attempt : undefined);
  const newest = isNewAttempt ? attempt : after;
  return {
    service: row.service,
    environment,
    kind,
    before,
    after,
    attempt,
    newest: kind === 'same' ? undefined : newest,
  };
}

/** The failed or running attempt in a slot. */
export function attemptIn(row: MatrixRow, environment: string, futureRows: FutureRows): DeploymentEvent | undefined {
  const box = boxIn(row, environment, futureRows);
  return box && (box.tone === 'bad' || box.tone === 'run') ? eventShown(box) : undefined;
}

function kindOf(
  before: DeploymentEvent | undefined,
  after: DeploymentEvent | undefined,
  attempt: DeploymentEvent | undefined,
): ChangeKind {
  if (after && !before) return 'first';
  if (after && before && !sameRelease(before, after)) return 'replaced';
  if (attempt) return attempt.status === 'failure' ? 'failed' : 'arriving';
  return after?.id === before?.id ? 'same' : 'again';
}

export const changeWords: Readonly<Record<ChangeKind, string>> = {
  replaced: 'another release',
  first: 'the first release',
  failed: 'failed since',
  arriving: 'arriving',
  again: 'the same release again',
  same: 'unchanged',
};
