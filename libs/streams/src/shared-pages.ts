import type { Log, Page } from './log.ts';

export interface SharedPagesOptions {
  readonly log: Log;
  /** Told of every page that is read. */
  readonly onRead: () => void;
  /** Resolves when there is time for another page. */
  readonly breathe: () => Promise<void>;
}

/**
 * The pages of a log for readers behind its head: read one at a time, and once for all who wait for the same one.
 *
 * Live readers fall behind together, at one position: when a machine stalls for a moment, a thousand of them would each
 * ask the database for the same rows, and the stall would feed itself. And whoever replays a long history would take
 * what processor the live readers and the posts need; so between two pages there is a breath.
 */
export class SharedPages implements Log {
  readonly #options: SharedPagesOptions;
  readonly #asked = new Map<string, Promise<Page>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SharedPagesOptions) {
    this.#options = options;
  }

  passes(filter: string, key: string): boolean {
    return this.#options.log.passes(filter, key);
  }

  read(position: string, filter: string | undefined): Promise<Page> {
    const name = JSON.stringify([position, filter]);
    const asked = this.#asked.get(name) ?? this.#inTurn(name, position, filter);
    this.#asked.set(name, asked);
    return asked;
  }

  /** The page is the same for whoever asks before its reading begins or while it lasts: none of them has been told more. */
  #inTurn(name: string, position: string, filter: string | undefined): Promise<Page> {
    const { log, onRead, breathe } = this.#options;
    const page = this.#turn.then(async () => {
      try {
        onRead();
        return await log.read(position, filter);
      } finally {
        this.#asked.delete(name);
      }
    });
    this.#turn = page.then(breathe, breathe);
    return page;
  }
}
