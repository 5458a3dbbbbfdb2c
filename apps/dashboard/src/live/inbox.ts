import type { TabMessage } from './messages.ts';

/** However long a change takes to show, the next ones follow within this time. */
const pauseMaxMs = 1000;

/**
 * Applies messages as fast as the page can show them. The first changes apply at once; those that arrive while the page
 * shows them are applied in one step, after a pause as long as that took. So a slow page skips intermediate states
 * instead of falling behind, and has half of its time for its user. Other messages wait for nothing.
 */
export class Inbox {
  readonly #apply: (message: TabMessage) => void;
  readonly #shown: () => Promise<void>;
  #waiting: TabMessage[] = [];
  #isBusy = false;

  /** `shown` settles when the page shows what was applied. */
  constructor(apply: (message: TabMessage) => void, shown = nextFrame) {
    this.#apply = apply;
    this.#shown = shown;
  }

  take(message: TabMessage): void {
    this.#waiting.push(message);
    if (message.kind !== 'events') this.#applyWaiting();
    else if (!this.#isBusy) void this.#applyChanges();
  }

  #applyWaiting(): void {
    for (const message of joined(this.#waiting.splice(0))) this.#apply(message);
  }

  async #applyChanges(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const startedAt = performance.now();
      this.#applyWaiting();
      await this.#shown();
      await pause(Math.min(performance.now() - startedAt, pauseMaxMs));
    }
    this.#isBusy = false;
  }
}

/** The same messages, with those about successive changes joined into one. */
export function joined(messages: readonly TabMessage[]): TabMessage[] {
  const all: TabMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.kind === 'events' && message.kind === 'events' && last.head === message.head) {
      const [events, rows] = [last.events.concat(message.events), last.rows.concat(message.rows)];
      all.splice(-1, 1, { ...message, events, rows });
    } else all.push(message);
  }
  return all;
}

/** Settles after the next frame is drawn. A hidden page draws none. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMaxMs);
    if (document.hidden) return resolve();
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
