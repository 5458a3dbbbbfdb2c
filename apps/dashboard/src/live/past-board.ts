import { boardOf } from '../board/board.ts';
import { rfcInstant } from '../board/instant.ts';
import type { Address } from '../state/address.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';

/** Which board is shown, and which one is asked for. */
export interface Past {
  /** The instant that the address names, as the service takes it; `undefined` = now. */
  readonly asked: string | undefined;
  /** The instant of the board that is shown; `undefined` = it is the board as it is. */
  readonly shown: string | undefined;
  /** Why the board that is asked for could not be read. */
  readonly fault: unknown;
}

const present: Past = { asked: undefined, shown: undefined, fault: undefined };

/** Clocks of machines may differ by so much. An instant beyond it is yet to come, and the board of it is that of now. */
const toleranceMs = 60_000;

/**
 * Shows the board of the instant that the address names, and the board as it is where it names none. The board before
 * stays until the other is here. One is asked for at a time, and of those that are named meanwhile only the last.
 */
export class PastStore extends Store<Past> {
  readonly #connection: Connection;
  readonly #address: Store<Address>;
  #isReading = false;

  constructor(connection: Connection, address: Store<Address>) {
    super(present);
    this.#connection = connection;
    this.#address = address;
    const look = () => this.#look();
    address.listen(look);
    // What was yet to come has come, or the clock of the service is known.
    connection.now.present.listen(look);
    connection.onCleared(() => this.again());
    look();
    // A page that opens in the past shows nothing else first.
    if (this.value.asked !== undefined) {
      connection.show({ board: undefined, atMs: Date.parse(this.value.asked) });
    }
  }

  /** Asks once more. */
  again(): void {
    this.set({ ...this.value, fault: undefined });
    void this.#read();
  }

  #look(): void {
    const asked = this.#askedFor();
    if (asked === this.value.asked) return;
    if (asked === undefined) {
      this.set(present);
      this.#connection.show(undefined);
    } else {
      this.set({ ...this.value, asked, fault: undefined });
      void this.#read();
    }
  }

  #askedFor(): string | undefined {
    const { view, quiet, asof } = this.#address.value;
    const asked = view === 'board' && !quiet && asof !== 'now' ? rfcInstant(asof) : undefined;
    const isToCome = asked !== undefined && Date.parse(asked) > this.#connection.now.present.value + toleranceMs;
    return isToCome ? undefined : asked;
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (let done: string | undefined; this.value.asked !== undefined && this.value.asked !== done; ) {
      done = this.value.asked;
      await this.#readAt(done);
    }
    this.#isReading = false;
  }

  async #readAt(at: string): Promise<void> {
    try {
      const { body } = await this.#connection.client.getMatrix({ query: { at } });
      if (this.value.asked === undefined) return;
      this.set({ ...this.value, shown: at, fault: undefined });
      this.#connection.show({ board: boardOf(body), atMs: Date.parse(at) });
    } catch (fault) {
      if (this.value.asked === at) this.set({ ...this.value, fault });
    }
  }
}
