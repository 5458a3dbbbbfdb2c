/**
 * The source's stream as a table: what happens in each phase on each event.
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
 * In `grace` and `reopening` the board is shown as live: the next connection resumes where the lost one ended.
 */
export type Phase = 'down' | 'opening' | 'open' | 'grace' | 'reopening';

export type StreamEvent =
  | { readonly name: 'opened'; readonly resume: string | null }
  /** The board includes all missed events, or the stream replays them. Events after `head` are fresh. */
  | { readonly name: 'caught-up'; readonly head: string }
  | { readonly name: 'lost'; readonly reason: string }
  | { readonly name: 'grace-over' }
  /** After sleep or a network change, a connection may be dead without an error. */
  | { readonly name: 'woken' };

export type Effect =
  /** Queues a request for missed events. */
  | 'catch-up'
  /** Starts or restarts the timer that hides the loss from tabs for a while. */
  | 'begin-grace'
  | 'reconnect'
  | 'send-link';

export type Transition = { readonly next: Phase; readonly effects: readonly Effect[] } | 'ignored';

const woken = { next: 'down', effects: ['reconnect', 'send-link'] } as const;
const opening = { next: 'opening', effects: ['catch-up'] } as const;

export const streamTable: Readonly<Record<Phase, Readonly<Record<StreamEvent['name'], Transition>>>> = {
  down: {
    opened: opening,
    'caught-up': 'ignored',
    lost: { next: 'down', effects: ['send-link'] },
    'grace-over': 'ignored',
    woken,
  },
  opening: {
    opened: opening,
    'caught-up': { next: 'open', effects: [] },
    lost: { next: 'down', effects: ['send-link'] },
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
    'grace-over': { next: 'down', effects: ['send-link'] },
    woken,
  },
  reopening: {
    opened: { next: 'reopening', effects: ['catch-up'] },
    'caught-up': { next: 'open', effects: [] },
    lost: { next: 'grace', effects: [] },
    'grace-over': { next: 'opening', effects: ['send-link'] },
    woken,
  },
};
