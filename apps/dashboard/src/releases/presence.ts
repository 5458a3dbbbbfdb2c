import type { DeploymentEvent, MatrixRow, ReleaseDetail } from '@shiplog/contract';
import { byTime, isSlot, type SlotState, slotStateIn } from '../board/board.ts';
import { isCalledOff } from '../board/box.ts';
import { lastSuccessIn } from '../board/drift.ts';

/** The state of a release in an environment. `event` is the row that shows it. */
export type Presence = { readonly there: There } & (
  | { readonly kind: 'runs'; readonly event: DeploymentEvent; readonly since: string }
  /** A later attempt failed, so the running release is unknown. `failed` is this attempt if the board still has it. */
  | {
      readonly kind: 'last-success';
      readonly event: DeploymentEvent;
      readonly since: string;
      readonly failed: DeploymentEvent | undefined;
    }
  /** Another release succeeded there at `until`, if known. */
  | { readonly kind: 'was'; readonly event: DeploymentEvent; readonly until: string | undefined }
  | { readonly kind: 'running' | 'failed' | 'waits' | 'called-off'; readonly event: DeploymentEvent }
  | { readonly kind: 'none' }
);

/** The slot on the board. */
export interface There {
  readonly lastSuccess: DeploymentEvent | undefined;
  /** Whether an attempt failed after the last success. */
  readonly isFailing: boolean;
}

export type PresenceKind = Presence['kind'];

/** Derives the state from the rows of the release, its places and the board's row. */
export function presenceOf(
  { events, places }: Pick<ReleaseDetail, 'events' | 'places'>,
  environment: string,
  row: MatrixRow | undefined,
): Presence {
  const slotState = row && slotStateIn(row, environment);
  const there = { lastSuccess: row && lastSuccessIn(row, environment), isFailing: isFailingIn(slotState) };
  const place = Object.hasOwn(places, environment) ? places[environment] : undefined;
  const newest = events.find((event) => event.environment === environment);
  if (!place) {
    if (!newest) return { there, kind: 'none' };
    return { there, kind: isCalledOff(newest) ? 'called-off' : 'waits', event: newest };
  }
  const { event, since, until } = place;
  if (since !== null) {
    const attempt = attemptAfter(event, slotState);
    return attempt ? { there, kind: 'last-success', event, since, ...attempt } : { there, kind: 'runs', event, since };
  }
  if (event.status === 'success') return { there, kind: 'was', event, until: until ?? undefined };
  if (event.status === 'failure') return { there, kind: 'failed', event };
  const end = newest && isCalledOff(newest) && newest.deployment_id === event.deployment_id ? newest : undefined;
  return end ? { there, kind: 'called-off', event: end } : { there, kind: 'running', event };
}

function isFailingIn(slotState: SlotState | undefined): boolean {
  if (!slotState || !isSlot(slotState)) return false;
  return slotState.current.status === 'failure' || slotState.prev_failed === true;
}

/** The failed attempt after the last success. It may have deployed the same release. */
function attemptAfter(
  event: DeploymentEvent,
  slotState: SlotState | undefined,
): { readonly failed: DeploymentEvent | undefined } | undefined {
  if (slotState && isSlot(slotState)) {
    const { current, prev_failed } = slotState;
    if (current.status === 'failure' && byTime(current, event) >= 0) return { failed: current };
    if (prev_failed) return { failed: undefined };
  }
  return event.status === 'failure' ? { failed: event } : undefined;
}
