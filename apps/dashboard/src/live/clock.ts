import { Store } from '../state/store.ts';

const everyMs = 5000;

/** The time that ages on the page are relative to: the service's time, or that of a past board. All ages tick together. */
export class Clock extends Store<number> {
  /** The service's time, whatever the page shows. */
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

  /** Makes ages relative to this time; `undefined` = the present. */
  stopAt(instantMs: number | undefined): void {
    this.#stoppedAtMs = instantMs;
    this.#tick();
  }

  #tick(): void {
    this.present.set(Date.now() + this.#offsetMs);
    this.set(this.#stoppedAtMs ?? this.present.value);
  }
}
