/**
 * How a target gets its messages, one at a time, as a table: what happens in each state on each event (relay §9.8 to §9.10).
 *
 * ```
 *    stopped ── started ──► choosing ── due ──► sending ── failed ──► backing-off
 *                            ▲  │  ▲               │                      │
 *                            │  │  └── delivered, dropped                 │
 *       arrived, time-over ──┤  │                                         │
 *                            │  ├── empty ──► idle                        │
 *                            │  ├── early ──► pacing                      │
 *                            │  └── behind ─► catching-up                 │
 *                            └──────────────────────────── time-over ─────┘
 *
 *    On stop, sending becomes stopping, and stopped once the attempt is over. All other states become stopped.
 * ```
 */
export type DeliveryState =
  | 'stopped'
  /** Only while an event is processed: the backlog decides the next state. */
  | 'choosing'
  /** No message waits. */
  | 'idle'
  /** The burst is used up. */
  | 'pacing'
  /** A digest waits for more old events that may still arrive. */
  | 'catching-up'
  | 'sending'
  | 'backing-off'
  /** The last attempt before the stop is in flight. */
  | 'stopping';

export type DeliveryEventName =
  | 'started'
  | 'empty'
  | 'early'
  | 'behind'
  | 'due'
  | 'arrived'
  | 'time-over'
  | 'delivered'
  /** The target will never accept the message. */
  | 'dropped'
  | 'failed'
  | 'stop';

export type DeliveryEffect =
  | 'choose'
  | 'send'
  | 'wait'
  | 'wake'
  /** Stops waiting for old events if none arrived. */
  | 'judge-progress'
  | 'record-outcome'
  | 'back-off'
  | 'store'
  | 'end';

export type DeliveryStep = { readonly next: DeliveryState; readonly effects: readonly DeliveryEffect[] } | 'ignored';

const nothing: Readonly<Record<DeliveryEventName, DeliveryStep>> = {
  ...{ started: 'ignored', empty: 'ignored', early: 'ignored', behind: 'ignored', due: 'ignored', arrived: 'ignored' },
  ...{ 'time-over': 'ignored', delivered: 'ignored', dropped: 'ignored', failed: 'ignored', stop: 'ignored' },
};
const chooses: DeliveryStep = { next: 'choosing', effects: ['choose'] };
const stops: DeliveryStep = { next: 'stopped', effects: ['wake', 'end'] };
const settled: DeliveryStep = { next: 'choosing', effects: ['record-outcome', 'store', 'choose'] };
const settledLast: DeliveryStep = { next: 'stopped', effects: ['record-outcome', 'store', 'end'] };
const progresses: DeliveryStep = { next: 'choosing', effects: ['wake', 'judge-progress', 'choose'] };

export const deliveryTable: Readonly<Record<DeliveryState, Readonly<Record<DeliveryEventName, DeliveryStep>>>> = {
  stopped: { ...nothing, started: chooses },
  choosing: {
    ...nothing,
    empty: { next: 'idle', effects: [] },
    early: { next: 'pacing', effects: ['wait'] },
    behind: { next: 'catching-up', effects: ['wait'] },
    due: { next: 'sending', effects: ['send'] },
  },
  idle: { ...nothing, arrived: chooses, stop: stops },
  pacing: {
    ...nothing,
    arrived: { next: 'choosing', effects: ['wake', 'choose'] },
    'time-over': chooses,
    stop: stops,
  },
  'catching-up': { ...nothing, arrived: progresses, 'time-over': progresses, stop: stops },
  sending: {
    ...nothing,
    delivered: settled,
    dropped: settled,
    failed: { next: 'backing-off', effects: ['record-outcome', 'back-off'] },
    stop: { next: 'stopping', effects: [] },
  },
  'backing-off': { ...nothing, 'time-over': chooses, stop: stops },
  stopping: {
    ...nothing,
    delivered: settledLast,
    dropped: settledLast,
    failed: { next: 'stopped', effects: ['end'] },
  },
};
