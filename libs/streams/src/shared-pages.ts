import { chunkOf } from './frame.ts';
import type { Log, Page } from './log.ts';

/** A page with its frames as bytes, built once for all readers. */
interface PageOfFrames extends Page {
  readonly chunk: Buffer;
}

/** The pages of a log for readers behind its head. */
export interface Pages {
  /** The page after a position, like `Log.read`. Empty if `isWanted` returns false when the read is due. */
  read(position: string, filter: string | undefined, isWanted: () => boolean): Promise<PageOfFrames>;
}

interface SharedPagesOptions {
  readonly log: Log;
  readonly onRead: () => void;
  /** Called between two pages to give other work a turn. */
  readonly pause: () => Promise<void>;
}

/** The number of entries between two pauses. Small pages are read without a pause. */
const entriesPerPause = 500;

interface PendingPage {
  readonly position: string;
  readonly filter: string | undefined;
  /** Each function returns whether the reader that requested the page still waits for it. */
  readonly checks: (() => boolean)[];
  readonly page: Promise<PageOfFrames>;
  readonly settle: (page: PageOfFrames | Promise<PageOfFrames>) => void;
}

/**
 * Reads one page at a time, once for all readers waiting for it: live readers fall behind together, and after a stall a
 * thousand of them would query the same rows. A pause between pages leaves processor time for live readers and posts.
 * The reader nearest to the head is served first, so that a reader that was away only briefly is soon live again.
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
    pending.checks.push(isWanted);
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

  /** Readers that request the page while it is being read get it too: none of them has seen anything later. */
  async #readPage(name: string, { position, filter, checks, settle }: PendingPage): Promise<void> {
    const { log, onRead, pause } = this.#options;
    if (!checks.some((isWanted) => isWanted())) {
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
  return { position, filter, checks: [], page, settle };
}
