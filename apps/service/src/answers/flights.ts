/** A piece of work, with its result and the later moment when it is over. */
export interface Flight<Result> {
  readonly result: Promise<Result>;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** Work that is over when its result is there. */
export function flightOf<Result>(result: Promise<Result>): Flight<Result> {
  const end = () => undefined;
  return { result, over: result.then(end, end) };
}

/**
 * The same work, once at a time. Who comes while it is under way does not get its result, which may be of a state from
 * before they came, but shares the next one, which begins when this one is over.
 */
export class Flights<Result> {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<Result>>();

  run(key: string, begin: (isFirst: boolean) => Flight<Result>): Promise<Result> {
    const next = this.#next.get(key);
    if (next) return next;
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, () => begin(true));
    const following = running.then(() => {
      this.#next.delete(key);
      return this.#begin(key, () => begin(false));
    });
    this.#next.set(key, following);
    return following;
  }

  /** Resolves when everything that was begun is over. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #begin(key: string, begin: () => Flight<Result>): Promise<Result> {
    const { result, over } = begin();
    const running = over.then(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, running);
    return result;
  }
}
