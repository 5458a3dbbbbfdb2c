import type { Clock } from '@shiplog/client';
import { Watchers } from './watchers.ts';

interface Sleeper {
  readonly ms: number;
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that only a test moves. */
export class TestClock implements Clock {
  /** The duration of every sleep so far, in milliseconds. */
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

  /** Moves the clock forward and wakes the sleeps that are due. */
  advance(ms: number): void {
    this.#now += ms;
    for (const { until, wake } of [...this.#sleepers]) if (until <= this.#now) wake();
  }

  /** Resolves when a sleep of this duration is in progress. */
  asleep(ms: number): Promise<void> {
    return this.#watchers.until(() => [...this.#sleepers].some((sleeper) => sleeper.ms === ms));
  }

  /** Waits for a sleep of this duration and moves the clock to its end. */
  async pass(ms: number): Promise<void> {
    await this.asleep(ms);
    this.advance(ms);
  }

  /** Ends all sleeps, and makes later sleeps end immediately. */
  end(): void {
    this.#ended = true;
    for (const { wake } of [...this.#sleepers]) wake();
  }

  /** The remaining durations of the current sleeps. */
  get sleeping(): number[] {
    return [...this.#sleepers].map(({ until }) => until - this.#now);
  }
}
