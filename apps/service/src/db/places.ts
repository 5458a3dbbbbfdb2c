import { DatabaseUnavailable } from './errors.ts';

/** All places are taken, and none became free in time. */
export class NoPlace extends DatabaseUnavailable {}

export interface PlacesOptions {
  readonly max: number;
  /** How many may wait for a place; without it any number, each for as long as `waitMs` says. */
  readonly waitingMax?: number;
  readonly waitMs: number;
}

/** Gives a place back. */
export type Leave = () => void;

/** A number of places for work that must not take everything: who finds none waits for one in turn, for a while. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** @throws NoPlace */
  take(): Promise<Leave> {
    const { max, waitingMax = Number.POSITIVE_INFINITY, waitMs } = this.#options;
    if (this.#taken < max) {
      this.#taken += 1;
      return Promise.resolve(() => this.#leave());
    }
    if (this.#waiting.size >= waitingMax) return Promise.reject(new NoPlace('too many wait for a place'));
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(() => this.#leave());
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(new NoPlace('no place became free in time'));
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
