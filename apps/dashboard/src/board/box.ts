import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { environmentsOf, slotStateIn, slotStatesOf } from './board.ts';
import type { FutureRow, FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePerRow } from './memoize.ts';
import { isEffective, isSlot, type SlotState, slotKey } from './slot.ts';

/** `off`: it was cancelled or rejected before it ended, or before it began; `wait`: the first deployment is yet to come. */
export type Tone = 'ok' | 'run' | 'bad' | 'off' | 'wait';

/** How one cell of the board stands (§3 Matrix box states). */
export interface Box {
  readonly tone: Tone;
  /** The event whose version the cell shows. */
  readonly named: DeploymentEvent;
  /** The event whose status and time it shows: the same one, or the one that ended it. */
  readonly latest: DeploymentEvent;
  /** The attempt before failed, and none has ended since. */
  readonly warned: boolean;
  /** Shown below a failed or running deployment. */
  readonly lastSuccess: DeploymentEvent | undefined;
  readonly next: DeploymentEvent | undefined;
  /** Nothing was deployed here before. */
  readonly isFirst: boolean;
  /** Its `current` is dated ahead. */
  readonly isInFuture: boolean;
  /** The newer report that this hides. */
  readonly hidden: DeploymentEvent | undefined;
}

const tones: Readonly<Record<string, Tone>> = { success: 'ok', 'in-progress': 'run', failure: 'bad' };

/** The box of a row in an environment; it is made once, however many ask. */
export function boxIn(row: MatrixRow, environment: string, futureRows: FutureRows): Box | undefined {
  return boxesIn(futureRows)(row).get(environment);
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
  // Usually there are none, and a board may have fifty thousand slots to look up.
  return futureRows.size === 0 ? undefined : futureRows.get(slotKey(service, environment));
}

/**
 * The six states of the specification; `failed` without a success before it, which its table leaves out; a deployment that
 * was called off; one that is yet to come; and what is dated ahead.
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

/** Whether `next` says that the running deployment was called off: no effective row does. */
function isEndOf(next: DeploymentEvent, { deployment_id }: DeploymentEvent): boolean {
  return next.deployment_id === deployment_id && isCalledOff(next);
}

/** Whether a deployment ended before it could succeed or fail. */
export function isCalledOff({ status }: DeploymentEvent): boolean {
  return status === 'cancelled' || status === 'rejected';
}

/** A failure, or a running deployment, is shown even where a slot dated ahead hides it. */
function shownThrough(tone: Tone, hidden: DeploymentEvent | undefined): Tone {
  const under = hidden && isEffective(hidden) ? toneOf(hidden) : tone;
  return under === 'bad' || (under === 'run' && tone !== 'bad') ? under : tone;
}

/** The event that gave a box its tone: what it shows the status of, or what a date ahead hides. */
export function eventShown({ tone, latest, hidden }: Box): DeploymentEvent {
  return hidden && isEffective(hidden) && toneOf(hidden) === tone ? hidden : latest;
}

/** The classes by which a box is coloured. */
export function lookOf({ tone, isInFuture }: Box): string {
  return isInFuture ? `${tone} ahead` : tone;
}

/** It failed, and has not been tried again: what runs after a failure is running, and says so. */
export function isFailing({ tone }: Box): boolean {
  return tone === 'bad';
}

export function isRunning({ tone }: Box): boolean {
  return tone === 'run';
}

/** Every event that a box shows. */
export function eventsOf({ named, latest, lastSuccess, next, hidden }: Box): DeploymentEvent[] {
  return [named, latest, lastSuccess, next, hidden].flatMap((event) => event ?? []);
}

/** Every event that a row shows. */
export function eventsOfRow(row: MatrixRow): DeploymentEvent[] {
  return slotStatesOf(row).flatMap((slotState) => eventsOf(boxOf(slotState)));
}

/** The number of text lines below the first one. */
export function linesUnder({ warned, lastSuccess, next, hidden }: Box): number {
  return 1 + [warned, lastSuccess, next, hidden].filter(Boolean).length;
}
