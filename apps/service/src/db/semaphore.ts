import { DatabaseUnavailable } from './errors.ts';

/** Thrown if no permit became free in time. */
export class NoPermit extends DatabaseUnavailable {}

interface SemaphoreOptions {
  readonly max: number;
  /** How many callers may wait for a permit, each for at most `waitMs`. Unlimited by default. */
  readonly waitingMax?: number;
  readonly waitMs: number;
}

/** Returns a permit. */
export type Leave = () => void;

/** Limits concurrent work to a number of permits. Other callers wait their turn for a limited time. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** @throws NoPermit */
  take(): Promise<Leave> {
    const { max, waitingMax = Number.POSITIVE_INFINITY, waitMs } = this.#options;
    if (this.#taken < max) {
      this.#taken += 1;
      return Promise.resolve(() => this.#leave());
    }
    if (this.#waiting.size >= waitingMax)
      return Promise.reject(new NoPermit('too many calls are waiting for a permit'));
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(() => this.#leave());
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(new NoPermit('no permit became free in time'));
      }, waitMs);
      this.#waiting.add(enter);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
