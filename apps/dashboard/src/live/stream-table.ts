/**
 * The stream of the source as a table: what happens in each phase on each event.
 *
 * ```
 *             opened             caught-up             lost
 *    down ──────────► opening ────────────► open ─────────────► grace
 *     ▲ ▲               │ ▲                  ▲                   │ ▲
 *     │ └─────lost──────┘ │ grace-over       │ caught-up         │ │
 *     │                   └───────────── reopening ◄───opened────┘ │
 *     │                                      └─────────lost────────┘
 *     └── grace-over, in grace; woken, in every phase
 * ```
 *
 * In `grace` and `reopening` a stream that was open may still come back unnoticed: the next connection resumes where it
 * ended, so the board is called live for that time.
 */
export type Phase = 'down' | 'opening' | 'open' | 'grace' | 'reopening';

export type StreamEvent =
  | { readonly name: 'opened'; readonly resume: string | null }
  /** What was missed is here, or comes through the stream. Events after `head` are new. */
  | { readonly name: 'caught-up'; readonly head: string }
  | { readonly name: 'lost'; readonly reason: string }
  | { readonly name: 'grace-over' }
  /** After sleep, or a change of the network, a connection may be dead without knowing. */
  | { readonly name: 'woken' };

export type Effect =
  /** What was missed is asked for, in its turn. */
  | 'catch-up'
  /** Tabs are not told for a while. The time begins anew, if it was running. */
  | 'begin-grace'
  | 'reconnect'
  | 'tell-link';

export type Transition = { readonly next: Phase; readonly effects: readonly Effect[] } | 'ignored';

const woken = { next: 'down', effects: ['reconnect', 'tell-link'] } as const;
const opening = { next: 'opening', effects: ['catch-up'] } as const;

export const streamTable: Readonly<Record<Phase, Readonly<Record<StreamEvent['name'], Transition>>>> = {
  down: {
    opened: opening,
    'caught-up': 'ignored',
    lost: { next: 'down', effects: ['tell-link'] },
    'grace-over': 'ignored',
    woken,
  },
  opening: {
    opened: opening,
    'caught-up': { next: 'open', effects: [] },
    lost: { next: 'down', effects: ['tell-link'] },
    'grace-over': 'ignored',
    woken,
  },
  open: {
    opened: opening,
    'caught-up': 'ignored',
    lost: { next: 'grace', effects: ['begin-grace'] },
    'grace-over': 'ignored',
    woken,
  },
  grace: {
    opened: { next: 'reopening', effects: ['catch-up'] },
    'caught-up': 'ignored',
    lost: { next: 'grace', effects: [] },
    'grace-over': { next: 'down', effects: ['tell-link'] },
    woken,
  },
  reopening: {
    opened: { next: 'reopening', effects: ['catch-up'] },
    'caught-up': { next: 'open', effects: [] },
    lost: { next: 'grace', effects: [] },
    'grace-over': { next: 'opening', effects: ['tell-link'] },
    woken,
  },
};
