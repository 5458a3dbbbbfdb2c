import { chunkOf, type Entry, type Log, type LogBounds, type Page, type Pages } from '../../src/index.ts';

/**
 * A read that the test completes in two steps: `see` reads the log, and a later step returns the result to the caller.
 */
export class HeldRead {
  readonly #log: MemoryLog;
  readonly #asked: { readonly position: string; readonly filter: string | undefined };
  readonly page: Promise<Page>;
  #resolve: (page: Page) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #seen: Page | undefined;

  constructor(log: MemoryLog, asked: { position: string; filter: string | undefined }) {
    this.#log = log;
    this.#asked = asked;
    this.page = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Reads the log, as the database does when it runs a query. */
  see(): void {
    this.#seen ??= this.#log.pageAfter(this.#asked.position, this.#asked.filter);
  }

  arrive(): void {
    this.see();
    this.#log.held.delete(this);
    if (this.#seen) this.#resolve(this.#seen);
  }

  fail(): void {
    this.#log.held.delete(this);
    this.#reject(new Error('the log cannot be read'));
  }
}

/** A log in memory. The test decides when its reads complete. */
export class MemoryLog implements Log {
  readonly entries: Entry[] = [];
  readonly held = new Set<HeldRead>();
  readsAsked = 0;
  removals = 0n;
  readonly #removed = new Set<string>();
  readonly #pageEntries: number;

  constructor(pageEntries: number) {
    this.#pageEntries = pageEntries;
  }

  append(key: string, padding = ''): Entry {
    const id = String(this.entries.length + 1).padStart(8, '0');
    const entry = { id, key, frame: `${id}|${padding}\n` };
    this.entries.push(entry);
    return entry;
  }

  remove({ id }: Entry): void {
    this.#removed.add(id);
    this.removals += 1n;
  }

  async bounds(): Promise<LogBounds> {
    const lastId = this.entries.at(-1)?.id ?? '';
    return { lastId, removedId: '', beginId: lastId, removals: this.removals };
  }

  passes(filter: string, key: string): boolean {
    return filter === key;
  }

  read(position: string, filter: string | undefined): Promise<Page> {
    this.readsAsked += 1;
    const read = new HeldRead(this, { position, filter });
    this.held.add(read);
    return read.page;
  }

  /** The pages for readers behind the head, with a separate read for each. */
  get pages(): Pages {
    return {
      read: async (position, filter) => {
        const page = await this.read(position, filter);
        return { ...page, chunk: chunkOf(page.entries) };
      },
    };
  }

  /** As with a table, a full page doesn't show whether it is the last one. */
  pageAfter(position: string, filter: string | undefined): Page {
    const start = position === '' ? 0 : Number(position);
    const rows = this.entries.slice(start, start + this.#pageEntries);
    return {
      entries: rows.filter(({ id, key }) => !this.#removed.has(id) && (filter === undefined || key === filter)),
      position: rows.at(-1)?.id ?? position,
      atHead: rows.length < this.#pageEntries,
      removals: this.removals,
    };
  }
}
