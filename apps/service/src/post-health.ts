import { DatabaseUnavailable, isDiskFull } from './db/errors.ts';

/** Posts that fail for longer than this are no moment's trouble. */
const failingMs = 5000;

export interface PostHealthOptions {
  /** Since when the oldest post waits that has no answer, by `performance.now`; `undefined` = none waits. */
  readonly oldestSince: () => number | undefined;
  /** A batch failed because of the database, or of the way to it. */
  readonly onFailure?: () => void;
  /**
   * Commits something that changes nothing, as a post would; rejects where a post would fail.
   * @param needsRoom that the last failure was a full disk, so that posts come through once there is room again.
   */
  readonly trial: (needsRoom: boolean) => Promise<unknown>;
}

/**
 * Whether posts come through. A database can answer reads and take no post: its disk is full, or it waits for a standby
 * that is away. Without posts a trial finds out whether they would be taken again, so that an instance which is sent none
 * while it is not ready becomes ready.
 */
export class PostHealth {
  readonly #options: PostHealthOptions;
  #failingSince: number | undefined;
  #lacksRoom = false;
  #trial: Promise<void> | undefined;

  constructor(options: PostHealthOptions) {
    this.#options = options;
  }

  /** Carries a batch out and remembers what became of it. */
  async watch<Result>(append: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      const result = await append;
      this.#failingSince = undefined;
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        this.#failingSince ??= startedAt;
        this.#lacksRoom = isDiskFull(error);
        this.#options.onFailure?.();
      }
      throw error;
    }
  }

  /** How long the oldest post has waited for its answer, in seconds. */
  get oldestSeconds(): number {
    const since = this.#options.oldestSince();
    return since === undefined ? 0 : (performance.now() - since) / 1000;
  }

  /** @throws DatabaseUnavailable where posts have failed, or one has waited, for longer than five seconds. */
  check(): void {
    const since = this.#failingSince;
    const isFailing = since !== undefined && performance.now() - since > failingMs;
    if (isFailing) this.#try();
    if (isFailing || this.oldestSeconds * 1000 > failingMs) throw new DatabaseUnavailable('posts fail');
  }

  #try(): void {
    this.#trial ??= this.watch(this.#options.trial(this.#lacksRoom))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#trial = undefined;
      });
  }
}
