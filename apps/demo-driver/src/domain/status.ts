import { type DemoStatus, demoSet, type ResetParticipation, type RunState } from '@shiplog/companions';
import type { RunPlan } from './run-plan.ts';

/**
 * The state machine of the driver, as a table: what happens in each phase on each event (companion services §3, readings
 * 9.1, 9.3, 9.10).
 *
 * ```
 *              started               finished
 *    idle ────────────────► running ──────────► done          done and failed have the transitions of idle;
 *     ▲                       │   stopped                     counters-reset leads from all three to idle
 *     │                       └───────────────► failed
 *     │
 *     │   any of these ── reset-initiated ──► blocked ── counters-reset ──► blocked-idle
 *     │                                       ▲  │ ▲                             │  │
 *     │            reset-initiated, another id└──┘ └─ reset-initiated ───────────┘  │
 *     │                                          │                                  │
 *     └───────────── reset-ended, gate-expired ──┴──────────────────────────────────┘
 * ```
 *
 * `blocked-idle` is the only phase that isn't a run state: the state is `idle`, but the reset continues (reading 9.3).
 */
export type Phase = RunState | 'blocked-idle';

export type StatusEvent =
  /** A run is requested. */
  | { readonly name: 'started'; readonly plan: RunPlan }
  /** All events of the run were attempted. */
  | { readonly name: 'finished' }
  | { readonly name: 'stopped' }
  /** `POST /demo/reset`. */
  | { readonly name: 'counters-reset'; readonly initial: DemoStatus }
  /** A reset other than the one in progress begins. */
  | { readonly name: 'reset-initiated'; readonly resetId: string }
  | { readonly name: 'reset-started' }
  /** The reset in progress is completed or aborted. */
  | { readonly name: 'reset-ended' }
  /** The reset did not end within `RESET_GATE_MAX_TTL_MS`. */
  | { readonly name: 'gate-expired' };
export type EventName = StatusEvent['name'];

export type Effect =
  | 'begin-run'
  /** Post no more events. */
  | 'stop-run'
  /** Stop counting the outcomes of the run. */
  | 'forget-run'
  | 'stop-emission'
  /** Refuse calls until the gate opens, at the latest when it expires. */
  | 'close-gate'
  | 'open-gate'
  /** Send the ack once nothing is running. */
  | 'ack'
  | 'report-running'
  | 'warn-of-expiry';

export type Transition = { readonly next: Phase; readonly effects: readonly Effect[] } | 'ignored';

const drain = ['stop-run', 'stop-emission', 'close-gate', 'ack'] as const;
const atRest: Readonly<Record<EventName, Transition>> = {
  started: { next: 'running', effects: ['begin-run'] },
  finished: 'ignored',
  stopped: 'ignored',
  'counters-reset': { next: 'idle', effects: ['forget-run'] },
  'reset-initiated': { next: 'blocked', effects: drain },
  'reset-started': 'ignored',
  'reset-ended': 'ignored',
  'gate-expired': 'ignored',
};
const inReset: Readonly<Record<EventName, Transition>> = {
  started: 'ignored',
  finished: 'ignored',
  stopped: 'ignored',
  'counters-reset': { next: 'blocked-idle', effects: ['forget-run'] },
  'reset-initiated': { next: 'blocked', effects: drain },
  'reset-started': 'ignored',
  'reset-ended': { next: 'idle', effects: ['open-gate', 'report-running'] },
  'gate-expired': { next: 'idle', effects: ['open-gate', 'warn-of-expiry'] },
};

export const statusTable: Readonly<Record<Phase, Readonly<Record<EventName, Transition>>>> = {
  idle: atRest,
  running: {
    started: 'ignored',
    finished: { next: 'done', effects: [] },
    stopped: { next: 'failed', effects: ['stop-run'] },
    'counters-reset': { next: 'idle', effects: ['stop-run', 'forget-run'] },
    'reset-initiated': { next: 'blocked', effects: drain },
    'reset-started': 'ignored',
    'reset-ended': 'ignored',
    'gate-expired': 'ignored',
  },
  done: atRest,
  failed: atRest,
  blocked: inReset,
  'blocked-idle': inReset,
};

const phases: Readonly<Record<Phase, { readonly state: RunState; readonly reset_state: ResetParticipation }>> = {
  idle: { state: 'idle', reset_state: 'idle' },
  running: { state: 'running', reset_state: 'idle' },
  done: { state: 'done', reset_state: 'idle' },
  failed: { state: 'failed', reset_state: 'idle' },
  blocked: { state: 'blocked', reset_state: 'blocked' },
  'blocked-idle': { state: 'idle', reset_state: 'blocked' },
};

export function phaseOf({ state, reset_state }: DemoStatus): Phase {
  return state === 'idle' && reset_state === 'blocked' ? 'blocked-idle' : state;
}

/** The status before the first run (reading 9.5). */
export function initialStatus(eventsTotal: number): DemoStatus {
  return {
    scenario: demoSet.name,
    state: 'idle',
    events_total: eventsTotal,
    events_sent: 0,
    errors: 0,
    started_at: null,
    finished_at: null,
    reset_state: 'idle',
    correlation_id: null,
  };
}

export interface Step {
  readonly status: DemoStatus;
  readonly effects: readonly Effect[];
}

/** The status and the effects of an event; `undefined` if the event is ignored. */
export function take(status: DemoStatus, event: StatusEvent, now: Date): Step | undefined {
  const transition = statusTable[phaseOf(status)][event.name];
  if (transition === 'ignored') return undefined;
  const { next, effects } = transition;
  return { status: { ...status, ...changes(status, event, now.toISOString()), ...phases[next] }, effects };
}

function changes(status: DemoStatus, event: StatusEvent, at: string): Partial<DemoStatus> {
  switch (event.name) {
    case 'started': {
      const { scenario, events } = event.plan;
      return { ...initialStatus(events.length), scenario, started_at: at };
    }
    case 'finished':
    case 'stopped':
      return { finished_at: at };
    case 'counters-reset':
      return { ...event.initial, correlation_id: status.correlation_id };
    case 'reset-initiated':
      return { correlation_id: event.resetId, ...(status.state === 'running' ? { finished_at: at } : {}) };
    case 'reset-ended':
    case 'gate-expired':
      return { correlation_id: null };
    case 'reset-started':
      return {};
  }
}

/** The status after the outcome of one event of the run is counted (§2 DemoStatus). */
export function counted(status: DemoStatus, stored: boolean): DemoStatus {
  return stored ? { ...status, events_sent: status.events_sent + 1 } : { ...status, errors: status.errors + 1 };
}
