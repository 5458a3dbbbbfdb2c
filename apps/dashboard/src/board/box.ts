import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import {
  environmentsOf,
  isEffective,
  isSlot,
  type Slot,
  type SlotState,
  slotKey,
  slotStateIn,
  slotStatesOf,
} from './board.ts';
import type { FutureRow, FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePerRow } from './memoize.ts';

/** `off`: cancelled or rejected; `wait`: the first deployment hasn't started. */
export type Tone = 'ok' | 'run' | 'bad' | 'off' | 'wait';

/** The content of one cell of the board (§3 Matrix box states). */
export interface Box {
  readonly tone: Tone;
  /** The event with the shown version. */
  readonly named: DeploymentEvent;
  /** The event with the shown status and time: `named`, or the event that cancelled or rejected that deployment. */
  readonly latest: DeploymentEvent;
  /** Whether the previous attempt failed, and no attempt has ended since. */
  readonly warned: boolean;
  /** The last success, which is shown below a failed or running deployment. */
  readonly lastSuccess: DeploymentEvent | undefined;
  readonly next: DeploymentEvent | undefined;
  /** The slot has no earlier deployment. */
  readonly isFirst: boolean;
  readonly isInFuture: boolean;
  /** The newer event, if an event dated in the future hides it. */
  readonly hidden: DeploymentEvent | undefined;
}

/** A slot that was deployed to, with its box. */
export interface SlotBox extends Slot {
  readonly box: Box;
}

const tones: Readonly<Record<string, Tone>> = { success: 'ok', 'in-progress': 'run', failure: 'bad' };

export function boxIn(row: MatrixRow, environment: string, futureRows: FutureRows): Box | undefined {
  return boxesIn(futureRows)(row).get(environment);
}

/** Those of some environments that the service was deployed to. */
export function slotBoxesIn(row: MatrixRow, environments: readonly string[], futureRows: FutureRows): SlotBox[] {
  const { service } = row;
  return environments.flatMap((environment) => {
    const box = boxIn(row, environment, futureRows);
    return box ? [{ service, environment, box }] : [];
  });
}

const boxesIn = memoizeLast((futureRows: FutureRows) =>
  memoizePerRow(
    (row): ReadonlyMap<string, Box> =>
      new Map(
        environmentsOf(row).flatMap((name) => {
          const slotState = slotStateIn(row, name);
          return slotState ? [[name, boxOf(slotState, futureRowOf(row.service, name, futureRows))]] : [];
        }),
      ),
  ),
);

export function futureRowOf(service: string, environment: string, futureRows: FutureRows): FutureRow | undefined {
  // The map is usually empty. This check then avoids fifty thousand lookups.
  return futureRows.size === 0 ? undefined : futureRows.get(slotKey(service, environment));
}

/**
 * The six states of the specification, and states that its table omits: `failed` without an earlier success, cancelled
 * or rejected deployments, pending first deployments, and events dated in the future.
 */
export function boxOf(slotState: SlotState, ahead?: FutureRow): Box {
  const hidden = ahead?.hidden;
  const common = { isInFuture: ahead !== undefined, hidden, isFirst: !isSlot(slotState) };
  if (!isSlot(slotState)) {
    const none = { warned: false, lastSuccess: undefined, next: undefined };
    return { ...common, ...none, tone: isCalledOff(slotState) ? 'off' : 'wait', named: slotState, latest: slotState };
  }
  const { current, last_successful, prev_failed, next } = slotState;
  const isRun = current.status === 'in-progress';
  const end = isRun && next && isEndOf(next, current) ? next : undefined;
  return {
    ...common,
    tone: shownThrough(end ? 'off' : toneOf(current), hidden),
    named: current,
    latest: end ?? current,
    warned: isRun && prev_failed === true,
    lastSuccess: current.status === 'success' ? undefined : last_successful,
    next: end ? undefined : next,
  };
}

function toneOf({ status }: DeploymentEvent): Tone {
  return tones[status] ?? 'run';
}

/** Whether `next` reports that the running deployment was cancelled or rejected. */
function isEndOf(next: DeploymentEvent, { deployment_id }: DeploymentEvent): boolean {
  return next.deployment_id === deployment_id && isCalledOff(next);
}

/** Whether a deployment ended before it could succeed or fail. */
export function isCalledOff({ status }: DeploymentEvent): boolean {
  return status === 'cancelled' || status === 'rejected';
}

/** Whether a deployment waits for its start. */
export function isToStart({ status }: DeploymentEvent): boolean {
  return status === 'pending' || status === 'queued' || status === 'waiting';
}

/** The tone of a box. An event dated in the future doesn't hide a failure or a running deployment. */
function shownThrough(tone: Tone, hidden: DeploymentEvent | undefined): Tone {
  const under = hidden && isEffective(hidden) ? toneOf(hidden) : tone;
  return under === 'bad' || (under === 'run' && tone !== 'bad') ? under : tone;
}

/** The event that gave a box its tone. */
export function eventShown({ tone, latest, hidden }: Box): DeploymentEvent {
  return hidden && isEffective(hidden) && toneOf(hidden) === tone ? hidden : latest;
}

/** The event with the version of `eventShown`, because a cancellation may not name one. */
export function eventNamed(box: Box): DeploymentEvent {
  const shown = eventShown(box);
  return shown === box.latest ? box.named : shown;
}

export function lookOf({ tone, isInFuture }: Box): string {
  return isInFuture ? `${tone} ahead` : tone;
}

/** Whether the deployment failed and was not retried. A retry counts as running. */
export function isFailing({ tone }: Box): boolean {
  return tone === 'bad';
}

export function isRunning({ tone }: Box): boolean {
  return tone === 'run';
}

/** The event of the version that runs in a slot; `undefined` if none ever succeeded. */
export function runningIn({ latest, lastSuccess }: Box): DeploymentEvent | undefined {
  return latest.status === 'success' ? latest : lastSuccess;
}

export function eventsOf({ named, latest, lastSuccess, next, hidden }: Box): DeploymentEvent[] {
  return [named, latest, lastSuccess, next, hidden].flatMap((event) => event ?? []);
}

export function eventsOfRow(row: MatrixRow): DeploymentEvent[] {
  return slotStatesOf(row).flatMap((slotState) => eventsOf(boxOf(slotState)));
}
