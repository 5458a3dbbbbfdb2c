import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { type Board, environmentsOf } from '../board/board.ts';
import { boxIn, eventShown } from '../board/box.ts';
import { lastSuccessIn } from '../board/drift.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { sameRelease } from './same-release.ts';

/** What became of a slot: another release, the first one, an attempt that did not end well or has not ended, the same release again. */
type ChangeKind = 'replaced' | 'first' | 'failed' | 'arriving' | 'again' | 'same';

/** One service in one environment, then and now. */
export interface Change {
  readonly service: string;
  readonly environment: string;
  readonly kind: ChangeKind;
  /** The last successes. */
  readonly before: DeploymentEvent | undefined;
  readonly after: DeploymentEvent | undefined;
  /** What failed, or is under way, after the last success that there is now. */
  readonly attempt: DeploymentEvent | undefined;
  /** The newest event of what changed. */
  readonly newest: DeploymentEvent | undefined;
}

/** Every slot in which something has succeeded or was tried, what changed last first, what did not change last. */
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

/** What failed or runs in a slot. */
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

/** In a few words. */
export const changeWords: Readonly<Record<ChangeKind, string>> = {
  replaced: 'another release',
  first: 'the first release',
  failed: 'failed since',
  arriving: 'arriving',
  again: 'the same release again',
  same: 'unchanged',
};
