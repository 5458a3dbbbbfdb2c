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

interface Running<Result> extends Flight<Result> {
  readonly state: string | undefined;
}

/**
 * The same work, once at a time. Who comes while it is under way does not get its result, which may be of a state from
 * before they came, but shares the next one, which begins when this one is over; unless it began at the very state that
 * they know.
 */
export class Flights<Result> {
  readonly #running = new Map<string, Running<Result>>();
  readonly #next = new Map<string, Promise<Result>>();

  /** @param state what the work is about is at, as whoever asks has just seen it. */
  run(key: string, begin: (isFirst: boolean) => Flight<Result>, state?: string): Promise<Result> {
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, () => begin(true), state);
    if (state !== undefined && running.state === state) return running.result;
    const next = this.#next.get(key);
    if (next) return next;
    const following = running.over.then(() => {
      this.#next.delete(key);
      // Those who share it may have come at different states.
      return this.#begin(key, () => begin(false), undefined);
    });
    this.#next.set(key, following);
    return following;
  }

  /** Resolves when everything that was begun is over. */
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
