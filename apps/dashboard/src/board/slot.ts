import { type DeploymentEvent, instantKey, type MatrixSlot } from '@shiplog/contract';
import { byTime } from './event-order.ts';

/** How a service stands in an environment: its slot, or the event that is to become the first deployment there. */
export type SlotState = MatrixSlot | DeploymentEvent;

/** Identifies a slot in maps. */
export function slotKey(service: string, environment: string): string {
  return JSON.stringify([service, environment]);
}

export function isSlot(slotState: SlotState): slotState is MatrixSlot {
  return 'current' in slotState;
}

/**
 * The standing after one more event, by the rules of the matrix (§2 MatrixSlot, readings 4.1 to 4.3), or `unknown` where
 * only the log can tell. An event that is already in it changes nothing, so that events may come twice. A slot holds at
 * most four rows of its history; where an event comes late, what stands between it and those is not known.
 */
export function slotStateAfter(slotState: SlotState | undefined, event: DeploymentEvent): SlotState | 'unknown' {
  if (slotState && isSlot(slotState)) return slotAfter(slotState, event);
  // Without an effective row only the latest event of the slot counts.
  if (!isEffective(event)) return slotState && !isLater(event, slotState) ? slotState : event;
  return { current: event, ...(slotState && instantIsLater(slotState, event) ? { next: slotState } : {}) };
}

function slotAfter(slot: MatrixSlot, event: DeploymentEvent): MatrixSlot | 'unknown' {
  if (!isEffective(event)) return withNext(slot, isLater(event, slot.next) ? event : slot.next);
  if (isSame(event, slot.current) || isSame(event, slot.last_successful)) return slot;
  return isLater(event, slot.current) ? withCurrent(slot, event) : 'unknown';
}

function withCurrent(slot: MatrixSlot, event: DeploymentEvent): MatrixSlot | 'unknown' {
  const { current } = slot;
  // "Strictly older" compares times alone (reading 4.2): of what ended at the very instant of a running row, only the
  // log knows.
  const isRun = event.status === 'in-progress';
  if (isRun && (current.status === 'in-progress' || instantKey(event.happened_at) === instantKey(current.happened_at)))
    return 'unknown';
  const success = current.status === 'success' ? current : slot.last_successful;
  const next = slot.next && instantIsLater(slot.next, event) ? slot.next : undefined;
  return {
    current: event,
    ...(event.status !== 'success' && success ? { last_successful: success } : {}),
    ...(isRun && current.status === 'failure' ? { prev_failed: true as const } : {}),
    ...(next ? { next } : {}),
  };
}

function withNext(slot: MatrixSlot, next: DeploymentEvent | undefined): MatrixSlot {
  if (next === slot.next || !next || !instantIsLater(next, slot.current)) return slot;
  return { ...slot, next };
}

/** Whether an event is the beginning or the end of a deployment (§2 Status). */
export function isEffective({ status }: DeploymentEvent): boolean {
  return status === 'in-progress' || status === 'success' || status === 'failure';
}

function isSame(event: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  return event.id === other?.id;
}

/** By time, and at one instant by id (reading 4.2). */
function isLater(event: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  return !other || byTime(event, other) > 0;
}

function instantIsLater(event: DeploymentEvent, other: DeploymentEvent): boolean {
  return instantKey(event.happened_at) > instantKey(other.happened_at);
}
