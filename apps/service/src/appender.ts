/** What an appender knows of an item: its text, which counts towards the size of a batch. */
interface Item {
  readonly jsonRest: string;
}

export interface AppenderOptions<Appended extends Item> {
  /** Appends a batch in one transaction; gives the ids in the order of the batch, or why an item alone was not stored. */
  readonly append: (batch: readonly Appended[]) => Promise<readonly (string | Error)[]>;
  /** Whether the database refused the batch because of its content: then some of its rows may still pass. */
  readonly isRefusal: (error: unknown) => boolean;
  /** The answer to a post that finds the queue full. */
  readonly overload: () => Error;
  readonly onBatch?: (batch: { rows: number; seconds: number }) => void;
}

interface Waiting<Appended> {
  /** By `performance.now`. */
  readonly since: number;
  readonly item: Appended;
  readonly resolve: (id: string) => void;
  readonly reject: (error: unknown) => void;
}

const batchRowsMax = 500;
const batchCharactersMax = 4 * 1024 * 1024;
const waitingMax = 20_000;

/**
 * Group commit: all items that arrive while one batch is in flight form the next one. A commit costs a flush and a
 * notice, and one of each serves the whole batch, so there is no timer and never a second batch in flight.
 */
export class Appender<Appended extends Item> {
  readonly #options: AppenderOptions<Appended>;
  #waiting: Waiting<Appended>[] = [];
  #inFlight: readonly Waiting<Appended>[] = [];
  #working: Promise<void> | undefined;

  constructor(options: AppenderOptions<Appended>) {
    this.#options = options;
  }

  /**
   * Appends one item; gives its id once the row is committed and flushed.
   * @throws what `append` rejected with, or the overload error when too many items wait already.
   */
  append(item: Appended): Promise<string> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(this.#options.overload());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject, since: performance.now() });
      this.#working ??= this.#work();
    });
  }

  /** Since when the oldest item waits that has no answer, by `performance.now`; `undefined` = none waits. */
  get oldestSince(): number | undefined {
    return (this.#inFlight[0] ?? this.#waiting[0])?.since;
  }

  /** Resolves when nothing waits and nothing is in flight. */
  async drained(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    // Items of the same turn of the event loop belong into the first batch already.
    await Promise.resolve();
    let settle = () => {};
    while (this.#waiting.length > 0) {
      this.#inFlight = this.#nextBatch();
      const committed = this.#commit(this.#inFlight);
      // A batch is answered once the next one is on its way: answering takes as long as storing does.
      process.nextTick(settle);
      settle = await committed;
      this.#inFlight = [];
    }
    settle();
    this.#working = undefined;
  }

  #nextBatch(): Waiting<Appended>[] {
    let characters = 0;
    let rows = 0;
    for (const { item } of this.#waiting) {
      characters += item.jsonRest.length;
      if (rows === batchRowsMax || (rows > 0 && characters > batchCharactersMax)) break;
      rows += 1;
    }
    return this.#waiting.splice(0, rows);
  }

  /** Stores a batch; gives the function that settles the promises of its items. */
  async #commit(batch: readonly Waiting<Appended>[]): Promise<() => void> {
    const startedAt = performance.now();
    try {
      const ids = await this.#options.append(batch.map(({ item }) => item));
      this.#options.onBatch?.({ rows: batch.length, seconds: (performance.now() - startedAt) / 1000 });
      return () => {
        for (const [index, { resolve, reject }] of batch.entries()) {
          const id = ids[index];
          if (id === undefined) reject(new Error('the append gave fewer ids than it got rows'));
          else if (id instanceof Error) reject(id);
          else resolve(id);
        }
      };
    } catch (error) {
      // A row that the database refuses must not fail its neighbours: each is tried on its own. Any other failure
      // leaves it unclear whether the batch was stored, and a second try could store it twice.
      if (batch.length > 1 && this.#options.isRefusal(error)) {
        for (const single of batch) (await this.#commit([single]))();
        return () => undefined;
      }
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
  }
}
