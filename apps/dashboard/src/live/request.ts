import { CallRefused } from '@shiplog/client';
import { headerNames } from '@shiplog/contract';

/**
 * The phases of a request to the service, from its first attempt until it ends.
 *
 * ```
 *              timeout, shown              answered
 *   settling ──────────────────► asking ─────────────► resting ──timeout──► asking
 *      ▲                          │  │                    │
 *      │ answered         changed │  │ refused            │ changed
 *      └──────────── outdated ◄───┘  └──► backing-off     └──► settling
 *                       └────refused────────▲  └──timeout──► asking
 *
 *   A timeout in a hidden page changes the phase to `hidden` until the page is shown. `retried` always asks at once.
 * ```
 */
export type Phase =
  /**
   * The first attempt, or the attempt after a change, is due shortly, so that simultaneous changes cost only one
   * request.
   */
  | 'settling'
  | 'asking'
  /** An attempt is running, and its response may not include a change that has happened since. */
  | 'outdated'
  /** The attempt was answered or has failed. The next attempt follows after the interval. */
  | 'resting'
  /** The service is overloaded and has requested a pause with `Retry-After`. */
  | 'backing-off'
  | 'hidden';

export type RequestEvent = 'timeout' | 'timeout-hidden' | 'changed' | 'answered' | 'refused' | 'shown' | 'retried';

/** In each phase, events without an entry are ignored. */
export const requestTable: Readonly<Record<Phase, Readonly<Partial<Record<RequestEvent, Phase>>>>> = {
  settling: { timeout: 'asking', 'timeout-hidden': 'hidden', shown: 'asking', retried: 'asking' },
  asking: { answered: 'resting', refused: 'backing-off', changed: 'outdated', retried: 'asking' },
  outdated: { answered: 'settling', refused: 'backing-off', retried: 'asking' },
  resting: { timeout: 'asking', 'timeout-hidden': 'hidden', changed: 'settling', retried: 'asking' },
  'backing-off': { timeout: 'asking', 'timeout-hidden': 'hidden', retried: 'asking' },
  hidden: { shown: 'asking', retried: 'asking' },
};

export interface RequestOptions {
  /** The time from a response to the next attempt. If unset, only changes cause attempts, even in hidden pages. */
  readonly everyMs?: number | undefined;
  /** The time from a change to the attempt, 1 s by default. */
  readonly settleMs?: number | undefined;
}

export interface RunningRequest {
  /** Schedules another attempt soon. Several calls schedule only one attempt. */
  changed(): void;
  /** Aborts a running attempt and starts another one at once. */
  retry(): void;
  end(): void;
}

/** Calls `ask` at once, then after each change and interval, one attempt at a time. Ignores failures. */
export function startRequest(
  ask: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, settleMs = 1000 }: RequestOptions = {},
): RunningRequest {
  const over = new AbortController();
  const waits: Readonly<Partial<Record<Phase, number | undefined>>> = { settling: settleMs, resting: everyMs };
  const isHidden = () => everyMs !== undefined && document.hidden;
  let phase: Phase = 'settling';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = new AbortController();

  function take(event: RequestEvent, waitMs?: number): void {
    const next = requestTable[phase][event];
    if (!next || over.signal.aborted) return;
    phase = next;
    clearTimeout(timer);
    const ms = waitMs ?? waits[next];
    if (next === 'asking') void run();
    else if (ms !== undefined) timer = setTimeout(due, ms);
  }

  const due = () => take(isHidden() ? 'timeout-hidden' : 'timeout');

  async function run(): Promise<void> {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    const waitMs = await ask(signal).then(() => undefined, retryAfterMs);
    if (!signal.aborted) take(waitMs === undefined ? 'answered' : 'refused', waitMs);
  }

  if (everyMs !== undefined) {
    document.addEventListener('visibilitychange', () => document.hidden || take('shown'), { signal: over.signal });
  }
  due();
  return {
    changed: () => take('changed'),
    retry: () => take('retried'),
    end: () => {
      over.abort();
      attempt.abort();
      clearTimeout(timer);
    },
  };
}

const [waitMinMs, waitMaxMs] = [1000, 60_000];

/** How long the service tells callers to wait (429, 503); `undefined` for errors that waiting doesn't fix. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof CallRefused) || (error.status !== 503 && error.status !== 429)) return undefined;
  const seconds = Number(error.headers.get(headerNames.retryAfter));
  return Math.min(Math.max(1000 * seconds || waitMinMs, waitMinMs), waitMaxMs);
}

/** The pages of a listing, at most `pagesMax`. Each page is requested when the loop reaches it. */
export async function* pagesOf<Page extends { readonly next_cursor: string | null }>(
  ask: (from: { readonly cursor?: string }) => Promise<{ readonly body: Page }>,
  pagesMax: number,
): AsyncGenerator<Page> {
  let from: { readonly cursor?: string } = {};
  for (let page = 0; page < pagesMax; page += 1) {
    const { body } = await ask(from);
    yield body;
    if (body.next_cursor === null) return;
    from = { cursor: body.next_cursor };
  }
}

/** The items of all pages of a listing, at most `pagesMax` pages. */
export async function itemsOf<Item>(
  ask: (from: { readonly cursor?: string }) => Promise<{ readonly body: Listing<Item> }>,
  pagesMax: number,
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { items } of pagesOf(ask, pagesMax)) found.push(...items);
  return found;
}

export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
