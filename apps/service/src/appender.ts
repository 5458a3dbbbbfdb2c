/** The length of this text counts towards the size of a batch. */
type Item = { readonly jsonRest: string };

interface AppenderOptions<Appended extends Item> {
  /** Appends a batch in one transaction. Returns the id of each item, or why it was not stored. */
  readonly append: (batch: readonly Appended[]) => Promise<readonly (string | Error)[]>;
  /** Whether the database rejected the batch because of its content. Some of its rows may still be valid. */
  readonly isRefusal: (error: unknown) => boolean;
  /** The error for a post when the queue is full. */
  readonly overload: () => Error;
  readonly onBatch?: (batch: { rows: number; seconds: number }) => void;
}

interface Waiting<Appended> {
  /** A `performance.now` timestamp. */
  readonly since: number;
  readonly item: Appended;
  readonly resolve: (id: string) => void;
  readonly reject: (error: unknown) => void;
}

const batchRowsMax = 500;
const batchCharactersMax = 4 * 1024 * 1024;
const waitingMax = 20_000;

/**
 * Group commit: all items that arrive while one batch is in flight form the next one. A commit costs one flush and one
 * notification for the whole batch. There is no timer, and only one batch is in flight.
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
   * Appends one item. Returns its id when the row is committed and flushed.
   * @throws the error of `append`, or the overload error if too many items are already waiting.
   */
  append(item: Appended): Promise<string> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(this.#options.overload());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject, since: performance.now() });
      this.#working ??= this.#work();
    });
  }

  /** When the oldest waiting item arrived (a `performance.now` timestamp); `undefined` if none is waiting. */
  get oldestSince(): number | undefined {
    return (this.#inFlight[0] ?? this.#waiting[0])?.since;
  }

  /** Resolves when no item is waiting or in flight. */
  async drained(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    // Let items of the same event loop turn join the first batch.
    await Promise.resolve();
    let settle = () => {};
    while (this.#waiting.length > 0) {
      this.#inFlight = this.#nextBatch();
      const committed = this.#commit(this.#inFlight);
      // Respond to a batch only after the next one is sent, because responding takes as long as storing.
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

  /** Stores a batch. Returns a function that settles the promises of its items. */
  async #commit(batch: readonly Waiting<Appended>[]): Promise<() => void> {
    const startedAt = performance.now();
    try {
      const ids = await this.#options.append(batch.map(({ item }) => item));
      this.#options.onBatch?.({ rows: batch.length, seconds: (performance.now() - startedAt) / 1000 });
      return () => {
        for (const [index, { resolve, reject }] of batch.entries()) {
          const id = ids[index];
          if (id === undefined) reject(new Error('the append returned fewer ids than rows'));
          else if (id instanceof Error) reject(id);
          else resolve(id);
        }
      };
    } catch (error) {
      // A rejected row must not fail the others, so try each row separately. After any other failure the batch may have
      // been stored, and a retry could store it twice.
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
