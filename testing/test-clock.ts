import type { Clock } from '@shiplog/client';
import { Watchers } from './watchers.ts';

interface Sleeper {
  readonly ms: number;
  readonly until: number;
  readonly wake: () => void;
}

/** Time that goes on only when a test says so. */
export class TestClock implements Clock {
  /** Every sleep that was begun, in milliseconds. */
  readonly slept: number[] = [];
  #now = Date.UTC(2026, 4, 4, 9, 0);
  #ended = false;
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Watchers();

  now(): Date {
    return new Date(this.#now);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { ms, until: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
      if (signal.aborted || this.#ended) wake();
      this.#watchers.changed();
    });
  }

  /** Lets time pass; who slept until then wakes up. */
  advance(ms: number): void {
    this.#now += ms;
    for (const { until, wake } of [...this.#sleepers]) if (until <= this.#now) wake();
  }

  /** Resolves when somebody sleeps for so long. */
  asleep(ms: number): Promise<void> {
    return this.#watchers.until(() => [...this.#sleepers].some((sleeper) => sleeper.ms === ms));
  }

  /** Waits for a sleep of so long and lets it pass. */
  async pass(ms: number): Promise<void> {
    await this.asleep(ms);
    this.advance(ms);
  }

  /** Nobody sleeps any more, whoever begins to. */
  end(): void {
    this.#ended = true;
    for (const { wake } of [...this.#sleepers]) wake();
  }

  /** How long those who sleep still do. */
  get sleeping(): number[] {
    return [...this.#sleepers].map(({ until }) => until - this.#now);
  }
}
