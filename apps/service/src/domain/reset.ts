import type { ResetState } from '@shiplog/contract';

/**
 * The reset as a table of states and events (§3 Reset lifecycle, readings 7.3 to 7.7).
 *
 * ```
 *          requested              drained                     cleared
 *   idle ────────────► draining ────────────► resetting ─────────────────► idle
 *                         │                      │      gate expired
 *                         │ requested            │ requested      └──────► idle (aborted, nothing cleared)
 *                         ▼                      ▼
 *                      refused                refused
 * ```
 *
 * A step and its effects are one transaction, and the state is in the database. Any instance that finds that a step is
 * due takes it. If an instance dies during a step, the step is rolled back.
 */

export type ResetEvent =
  /** An operator requests a reset. */
  | 'requested'
  /** All expected components have acked, or the ack timeout has passed. */
  | 'drained'
  /** The log is cleared in the same transaction as this step. */
  | 'cleared'
  /** The gate has expired, and the log was not cleared. */
  | 'gate-expired';

export type ResetEffect =
  | 'announce-initiated'
  | 'announce-started'
  | 'announce-completed'
  | 'announce-aborted'
  | 'close-gate'
  | 'open-gate'
  | 'clear';

type ResetTransition =
  | { readonly next: ResetState; readonly effects: readonly ResetEffect[] }
  /** A reset is already in progress. */
  | 'refused'
  /** Another instance was first, so there is nothing to do. */
  | 'ignored';

export const resetTable: Readonly<Record<ResetState, Readonly<Record<ResetEvent, ResetTransition>>>> = {
  idle: {
    requested: { next: 'draining', effects: ['announce-initiated'] },
    drained: 'ignored',
    cleared: 'ignored',
    'gate-expired': 'ignored',
  },
  draining: {
    requested: 'refused',
    drained: { next: 'resetting', effects: ['close-gate', 'announce-started'] },
    cleared: 'ignored',
    'gate-expired': 'ignored',
  },
  resetting: {
    requested: 'refused',
    drained: 'ignored',
    cleared: { next: 'idle', effects: ['clear', 'open-gate', 'announce-completed'] },
    'gate-expired': { next: 'idle', effects: ['open-gate', 'announce-aborted'] },
  },
};

/** The reset settings (reading 7.4). */
export interface ResetSettings {
  /** How long a reset waits for acks. 0 means that it doesn't wait. */
  readonly ackTimeoutSeconds: number;
  /** The maximum time that the gate stays closed. */
  readonly gateMaxTtlSeconds: number;
  /** The components that must ack. */
  readonly expectedComponents: readonly string[];
}

/** The state of the reset at one moment. Times are milliseconds since the Unix epoch, by the database's clock. */
export interface ResetView {
  readonly state: ResetState;
  readonly now: number;
  /** While draining: when the wait for acks ends. */
  readonly drainUntil: number;
  /** While resetting: when the gate opens automatically. */
  readonly gateUntil: number;
  /** The components that must ack. */
  readonly expected: readonly string[];
  /** The components that have acked this reset. */
  readonly acked: readonly string[];
}

/** The event that is due now; `undefined` if no event is due. */
export function dueEvent(view: ResetView): ResetEvent | undefined {
  if (view.state === 'draining') {
    const acked = new Set(view.acked);
    const drained = view.now >= view.drainUntil || view.expected.every((component) => acked.has(component));
    return drained ? 'drained' : undefined;
  }
  if (view.state === 'resetting') return view.now >= view.gateUntil ? 'gate-expired' : 'cleared';
  return undefined;
}

/** Milliseconds until an event becomes due by time alone; `Infinity` if only a change can make one due. */
export function dueInMs(view: ResetView): number {
  return view.state === 'draining' ? Math.max(0, view.drainUntil - view.now) : Number.POSITIVE_INFINITY;
}
