import { boardOf } from '../board/board.ts';
import { rfcInstant } from '../board/instant.ts';
import type { Address } from '../state/address.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { type RunningRequest, startRequest } from './request.ts';

export interface Past {
  /** The time in the address (RFC 3339); `undefined` = now. */
  readonly requested: string | undefined;
  /** The time of the shown board; `undefined` = the current board. */
  readonly shown: string | undefined;
  readonly fault: unknown;
}

const present: Past = { requested: undefined, shown: undefined, fault: undefined };

/** How much clocks may differ. For a time that is further in the future, the page shows the current board. */
const toleranceMs = 60_000;

/**
 * Shows the board at the time in the address. The previous board stays until this one is loaded. One board is requested
 * at a time; if the time in the address changes meanwhile, only the last time is requested.
 */
export class PastStore extends Store<Past> {
  readonly #connection: Connection;
  readonly #address: Store<Address>;
  readonly #request: RunningRequest;

  constructor(connection: Connection, address: Store<Address>) {
    super(present);
    this.#connection = connection;
    this.#address = address;
    this.set({ ...present, requested: this.#requestedTime() });
    // A page that opens at a past time must not show the current board first.
    if (this.value.requested !== undefined) {
      connection.show({ board: undefined, atMs: Date.parse(this.value.requested) });
    }
    this.#request = startRequest((signal) => this.#read(signal), { settleMs: 0 });
    const check = () => this.#check();
    address.listen(check);
    // A future time may have arrived, or the service's clock has become known.
    connection.now.present.listen(check);
    connection.onCleared(() => this.again());
  }

  again(): void {
    this.set({ ...this.value, fault: undefined });
    this.#request.retry();
  }

  #check(): void {
    const requested = this.#requestedTime();
    if (requested === this.value.requested) return;
    if (requested === undefined) {
      this.set(present);
      this.#connection.show(undefined);
    } else {
      const isFailing = this.value.fault !== undefined;
      this.set({ ...this.value, requested, fault: undefined });
      if (isFailing) this.#request.retry();
      else this.#request.changed();
    }
  }

  #requestedTime(): string | undefined {
    const { view, board, asof } = this.#address.value;
    const requested = view === 'board' && board.layout === 'grid' && asof !== 'now' ? rfcInstant(asof) : undefined;
    const isFuture =
      requested !== undefined && Date.parse(requested) > this.#connection.now.present.value + toleranceMs;
    return isFuture ? undefined : requested;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const at = this.value.requested;
    if (at === undefined) return;
    try {
      const { body } = await this.#connection.client.getMatrix({ query: { at }, signal });
      if (signal.aborted || this.value.requested === undefined) return;
      this.set({ ...this.value, shown: at, fault: undefined });
      this.#connection.show({ board: boardOf(body), atMs: Date.parse(at) });
    } catch (fault) {
      if (!signal.aborted && this.value.requested === at) this.set({ ...this.value, fault });
      throw fault;
    }
  }
}
