import type { Log, Page } from './log.ts';

export interface SharedPagesOptions {
  readonly log: Log;
  /** Told of every page that is read. */
  readonly onRead: () => void;
  /** Resolves when there is time for another page. */
  readonly breathe: () => Promise<void>;
}

/** So many entries are handed out between two breaths: pages that hold little are read one right after another. */
const entriesPerBreath = 500;

/** A page that readers wait for. */
interface Asked {
  readonly position: string;
  readonly filter: string | undefined;
  /** Whether anybody still waits for it, as each of those who asked says. */
  readonly wanted: (() => boolean)[];
  readonly page: Promise<Page>;
  readonly settle: (page: Page | Promise<Page>) => void;
}

/**
 * The pages of a log for readers behind its head: read one at a time, and once for all who wait for the same one.
 *
 * Live readers fall behind together, at one position: when a machine stalls for a moment, a thousand of them would each
 * ask the database for the same rows, and the stall would feed itself. And whoever replays a long history would take
 * what processor the live readers and the posts need; so between two pages there is a breath. Whoever is nearest to the
 * head goes first: a reader that was away for a moment is live again before those who read the whole past go on. A page
 * that only readers wait for who have gone is not read: connections that come and go cost those who stay no turn.
 */
export class SharedPages {
  readonly #options: SharedPagesOptions;
  readonly #asked = new Map<string, Asked>();
  #isReading = false;
  #entries = 0;

  constructor(options: SharedPagesOptions) {
    this.#options = options;
  }

  /** The page after a position, as `Log.read` gives it; an empty one where nobody wants it any more. */
  read(position: string, filter: string | undefined, isWanted: () => boolean): Promise<Page> {
    const name = JSON.stringify([position, filter]);
    const asked = this.#asked.get(name) ?? ask(position, filter);
    asked.wanted.push(isWanted);
    this.#asked.set(name, asked);
    if (!this.#isReading) void this.#readOn();
    return asked.page;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#nearest(); next; next = this.#nearest()) await this.#readPage(...next);
    this.#isReading = false;
  }

  #nearest(): readonly [name: string, asked: Asked] | undefined {
    let nearest: readonly [name: string, asked: Asked] | undefined;
    for (const [name, asked] of this.#asked) {
      if (!nearest || asked.position > nearest[1].position) nearest = [name, asked];
    }
    return nearest;
  }

  /** The page is the same for whoever asks before its reading begins or while it lasts: none of them has been told more. */
  async #readPage(name: string, { position, filter, wanted, settle }: Asked): Promise<void> {
    const { log, onRead, breathe } = this.#options;
    if (!wanted.some((isWanted) => isWanted())) {
      this.#asked.delete(name);
      settle({ entries: [], position, atHead: false });
      return;
    }
    onRead();
    const page = log.read(position, filter);
    const entries = await page.then(
      ({ entries }) => entries.length,
      () => 0,
    );
    this.#asked.delete(name);
    settle(page);
    this.#entries += entries;
    if (this.#entries < entriesPerBreath) return;
    this.#entries = 0;
    await breathe();
  }
}

function ask(position: string, filter: string | undefined): Asked {
  let settle: Asked['settle'] = () => undefined;
  const page = new Promise<Page>((resolve) => {
    settle = resolve;
  });
  return { position, filter, wanted: [], page, settle };
}
