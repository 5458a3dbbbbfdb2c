import { Store } from '../state/store.ts';

const everyMs = 5000;

/** The time by which the page shows ages: that of the service, or that of a past board. It ticks for all of them at once. */
export class Clock extends Store<number> {
  /** The time of the service, whatever the page shows. */
  readonly present = new Store(Date.now());
  /** How far the service's clock is ahead of this machine's. */
  #offsetMs = 0;
  #stoppedAtMs: number | undefined;

  constructor() {
    super(Date.now());
    setInterval(() => this.#tick(), everyMs);
  }

  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#tick();
  }

  /** Ages count from this instant; `undefined` = from the present. */
  stopAt(instantMs: number | undefined): void {
    this.#stoppedAtMs = instantMs;
    this.#tick();
  }

  #tick(): void {
    this.present.set(Date.now() + this.#offsetMs);
    this.set(this.#stoppedAtMs ?? this.present.value);
  }
}
