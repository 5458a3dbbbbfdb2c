import { Store } from '../state/store.ts';

const everyMs = 5000;

/** The time of the service, by which the page shows ages. It ticks for all of them at once. */
export class Clock extends Store<number> {
  /** How far the service's clock is ahead of this machine's. */
  #offsetMs = 0;

  constructor() {
    super(Date.now());
    setInterval(() => this.#tick(), everyMs);
  }

  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#tick();
  }

  #tick(): void {
    this.set(Date.now() + this.#offsetMs);
  }
}
