/** A piece of work: its result, and when it is over, which can be later. */
export interface Flight<Result> {
  readonly result: Promise<Result>;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** Work that is over as soon as it has a result. */
export function flightOf<Result>(result: Promise<Result>): Flight<Result> {
  const end = () => undefined;
  return { result, over: result.then(end, end) };
}

interface Running<Result> extends Flight<Result> {
  readonly state: string | undefined;
}

/**
 * Runs equal work only once at a time. A caller that arrives while it runs shares the next run, because the current one
 * may have read a state from before the call. If the current run started at the state that the caller has seen, it
 * shares that one.
 */
export class Flights<Result> {
  readonly #running = new Map<string, Running<Result>>();
  readonly #next = new Map<string, Promise<Result>>();

  /** @param state the state of the data, as the caller has just seen it. */
  run(key: string, begin: (isFirst: boolean) => Flight<Result>, state?: string): Promise<Result> {
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, () => begin(true), state);
    if (state !== undefined && running.state === state) return running.result;
    const next = this.#next.get(key);
    if (next) return next;
    const following = running.over.then(() => {
      this.#next.delete(key);
      // The callers that share it may have seen different states.
      return this.#begin(key, () => begin(false), undefined);
    });
    this.#next.set(key, following);
    return following;
  }

  /** Resolves when all work is over. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  #begin(key: string, begin: () => Flight<Result>, state: string | undefined): Promise<Result> {
    const { result, over } = begin();
    const ended = over.then(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, { result, over: ended, state });
    return result;
  }
}
