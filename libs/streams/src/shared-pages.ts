import { chunkOf, type Log, type Page } from './log.ts';

/** A page with its frames as bytes, made once for all who are handed it. */
export interface PageOfFrames extends Page {
  readonly chunk: Buffer;
}

/** The pages of a log, as readers behind its head ask for them. */
export interface Pages {
  /** The page after a position, as `Log.read` gives it; an empty one where `isWanted` says that nobody wants it any more. */
  read(position: string, filter: string | undefined, isWanted: () => boolean): Promise<PageOfFrames>;
}

export interface SharedPagesOptions {
  readonly log: Log;
  /** Told of every page that is read. */
  readonly onRead: () => void;
  /** Waits between two pages, so that others get their turn. */
  readonly pause: () => Promise<void>;
}

/** Entries that are handed out between two pauses: pages that hold little are read one right after another. */
const entriesPerPause = 500;

/** A page that readers wait for. */
interface PendingPage {
  readonly position: string;
  readonly filter: string | undefined;
  /** Whether anybody still waits for it, as each of those who asked says. */
  readonly wanted: (() => boolean)[];
  readonly page: Promise<PageOfFrames>;
  readonly settle: (page: PageOfFrames | Promise<PageOfFrames>) => void;
}

/**
 * Reads one page at a time, and reads it once for all who wait for it.
 *
 * - Live readers fall behind together: when the machine stalls, a thousand of them would ask the database for the same
 *   rows, and make the stall longer.
 * - Between two pages there is a pause, so that a long replay leaves live readers and posts their share of the
 *   processor.
 * - The reader nearest to the head goes first: one that was away for a moment is live again before a long replay goes
 *   on.
 * - A page whose readers have all gone is not read.
 */
export class SharedPages implements Pages {
  readonly #options: SharedPagesOptions;
  readonly #pending = new Map<string, PendingPage>();
  #isReading = false;
  #entries = 0;

  constructor(options: SharedPagesOptions) {
    this.#options = options;
  }

  read(position: string, filter: string | undefined, isWanted: () => boolean): Promise<PageOfFrames> {
    const name = JSON.stringify([position, filter]);
    const pending = this.#pending.get(name) ?? pendingPage(position, filter);
    pending.wanted.push(isWanted);
    this.#pending.set(name, pending);
    if (!this.#isReading) void this.#readOn();
    return pending.page;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#nearest(); next; next = this.#nearest()) await this.#readPage(...next);
    this.#isReading = false;
  }

  #nearest(): readonly [name: string, pending: PendingPage] | undefined {
    let nearest: readonly [name: string, pending: PendingPage] | undefined;
    for (const [name, pending] of this.#pending) {
      if (!nearest || pending.position > nearest[1].position) nearest = [name, pending];
    }
    return nearest;
  }

  /** Who asks while the page is read gets it too: none of them has been told of anything later. */
  async #readPage(name: string, { position, filter, wanted, settle }: PendingPage): Promise<void> {
    const { log, onRead, pause } = this.#options;
    if (!wanted.some((isWanted) => isWanted())) {
      this.#pending.delete(name);
      settle({ entries: [], position, atHead: false, chunk: chunkOf([]) });
      return;
    }
    onRead();
    const page = log.read(position, filter).then((read) => ({ ...read, chunk: chunkOf(read.entries) }));
    const entries = await page.then(
      ({ entries }) => entries.length,
      () => 0,
    );
    this.#pending.delete(name);
    settle(page);
    this.#entries += entries;
    if (this.#entries < entriesPerPause) return;
    this.#entries = 0;
    await pause();
  }
}

function pendingPage(position: string, filter: string | undefined): PendingPage {
  let settle: PendingPage['settle'] = () => undefined;
  const page = new Promise<PageOfFrames>((resolve) => {
    settle = resolve;
  });
  return { position, filter, wanted: [], page, settle };
}
