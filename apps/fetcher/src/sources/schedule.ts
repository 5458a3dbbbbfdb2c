/**
 * What a source does next. A failure or a rate limit delays everything; between two cycles come the hints of webhooks and
 * then the backfill.
 *
 *            ┌──────────────── due ───────────────┐
 *            ▼                                    │
 *   start → poll → backfill → wait ───────────────┤
 *            │        ▲        │ woken by a hint   │
 *            │        └─ poll hinted ◀─────────────┤
 *            └──── failed ──▶ pause ───────────────┘
 */
export type Action = 'poll' | 'poll hinted' | 'backfill' | 'wait' | 'pause';

/** Instants are ms of the fetcher's clock. */
export interface Situation {
  readonly nowMs: number;
  /** When the next cycle begins. */
  readonly dueMs: number;
  /** After a failure or a rate limit nothing is asked before this instant. */
  readonly pausedUntilMs: number;
  readonly hasHints: boolean;
  /** `undefined` at the start. */
  readonly previous: Action | undefined;
}

/** The first row that applies decides. */
const rows: readonly (readonly [action: Action, applies: (situation: Situation) => boolean])[] = [
  ['pause', ({ pausedUntilMs, nowMs }) => pausedUntilMs > nowMs],
  // A cycle that takes longer than its interval still leaves one turn to hints or the backfill.
  ['poll', ({ dueMs, nowMs, previous }) => nowMs >= dueMs && previous !== 'poll'],
  ['poll hinted', ({ hasHints }) => hasHints],
  ['wait', ({ previous }) => previous === 'backfill'],
  ['backfill', () => true],
];

export function nextAction(situation: Situation): Action {
  const [action] = rows.find(([, applies]) => applies(situation)) ?? ['backfill'];
  return action;
}
