import { type Hold, type HoldRequest, limits } from '@shiplog/contract';
import { type Freeze, sourceIdOf } from './freezes.ts';

/** What all holds of one calendar have in common. */
export interface HoldScope {
  /** The `source` of its holds. */
  readonly source: string;
  readonly services: readonly string[];
  readonly environments: readonly string[];
  /** The reason for an event without a summary. */
  readonly title: string;
}

export interface HoldPlan {
  readonly make: readonly Freeze[];
  readonly release: readonly Hold[];
}

/**
 * What to make and release so that a calendar's holds match its freezes (holds.md 6.13). A hold is kept if its end,
 * reason and globs are unchanged. The start of its instance is in its `source_id`; the hold itself may begin later, if
 * the instance was already running.
 *
 * @param holds those of the calendar's source that are not over
 */
export function planHolds(freezes: readonly Freeze[], holds: readonly Hold[], scope: HoldScope): HoldPlan {
  const missing = new Map(freezes.map((freeze) => [sourceIdOf(freeze), freeze]));
  const release = holds.filter((hold) => {
    if (hold.source !== scope.source || hold.released) return false;
    const freeze = missing.get(hold.source_id ?? '');
    if (!freeze || !isHeld(freeze, hold, scope)) return true;
    // A second hold for the same instance is released.
    missing.delete(hold.source_id ?? '');
    return false;
  });
  return { make: [...missing.values()], release };
}

function isHeld(freeze: Freeze, hold: Hold, scope: HoldScope): boolean {
  return (
    hold.kind === 'freeze' &&
    Date.parse(hold.until ?? '') === freeze.endMs &&
    hold.reason === reasonOf(freeze, scope) &&
    isSame(hold.services, scope.services) &&
    isSame(hold.environments, scope.environments)
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((glob, index) => glob === other[index]);
}

function reasonOf({ summary }: Freeze, { title }: HoldScope): string {
  return [...(summary || title)].slice(0, limits.holdReason).join('');
}

/** The request body for a hold, which begins when it is posted if the instance is running (holds.md 6.13). */
export function holdOf(freeze: Freeze, scope: HoldScope, nowMs: number): HoldRequest {
  return {
    kind: 'freeze',
    services: [...scope.services],
    environments: [...scope.environments],
    ...(freeze.startMs > nowMs && { from: new Date(freeze.startMs).toISOString() }),
    until: new Date(freeze.endMs).toISOString(),
    reason: reasonOf(freeze, scope),
    source: scope.source,
    source_id: sourceIdOf(freeze),
  };
}
