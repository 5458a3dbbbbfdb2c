import { type DeploymentEvent, instantKey, type MatrixSlot } from '@shiplog/contract';
import { byTime } from './event-order.ts';

/** The state of a service in an environment: its slot, or the event that announces the first deployment there. */
export type SlotState = MatrixSlot | DeploymentEvent;

/** Identifies a slot in maps. */
export function slotKey(service: string, environment: string): string {
  return JSON.stringify([service, environment]);
}

export function isSlot(slotState: SlotState): slotState is MatrixSlot {
  return 'current' in slotState;
}

/**
 * The state after one more event, by the rules of the matrix (§2 MatrixSlot, readings 4.1 to 4.3), or `unknown` if only
 * the log can tell: a slot holds at most four rows of its history, so what lies between a late event and those is
 * unknown. Events may arrive twice; a known event changes nothing.
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
  // "Strictly older" compares times alone (reading 4.2), so only the log can order a deployment that ended at the very
  // time of a running row.
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

/** Whether an event starts or ends a deployment (§2 Status). */
export function isEffective({ status }: DeploymentEvent): boolean {
  return status === 'in-progress' || status === 'success' || status === 'failure';
}

function isSame(event: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  return event.id === other?.id;
}

/** By time, then by id (reading 4.2). */
function isLater(event: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  return !other || byTime(event, other) > 0;
}

function instantIsLater(event: DeploymentEvent, other: DeploymentEvent): boolean {
  return instantKey(event.happened_at) > instantKey(other.happened_at);
}
