import type { ServerResponse } from 'node:http';
import { type FrameParts, frameText } from './frame.ts';
import type { Entry, Log, Page } from './log.ts';
import { LogStream, type Reader, type StreamTimes } from './log-stream.ts';

/** `data` is JSON; line breaks in it, which can only be white space between tokens, become blanks. */
export interface BroadcastFrame extends FrameParts {
  /** What a filter is compared with. */
  readonly key?: string;
}

/** How much of what was published is kept for readers that are slow. */
const heldEntriesMax = 4096;
const heldBytesMax = 4 * 1024 * 1024;

/**
 * An event stream of what is published in this process: a connection gets what comes after it opened, and nothing from
 * before. What was published last is held for readers that are slow, up to a bound; a reader that falls behind even
 * that is cut off, and comes back to what is live then.
 */
export class Broadcast {
  readonly #log = new RecentLog();
  readonly #stream: LogStream;

  constructor(times: StreamTimes) {
    this.#stream = new LogStream({ log: this.#log, times, onError: () => undefined });
  }

  publish({ key = '', ...frame }: BroadcastFrame): void {
    this.#log.append(frameText({ ...frame, data: frame.data.replace(/[\r\n]+/g, ' ') }), key);
    this.#stream.wake();
  }

  /** Takes a response over and serves it until it is closed. */
  open(
    response: ServerResponse,
    { headOnly, filter, headers = {} }: Pick<Reader, 'headOnly'> & Partial<Pick<Reader, 'filter' | 'headers'>>,
  ): Promise<void> {
    const { lastId } = this.#log;
    return this.#stream.open(response, { position: lastId, removed: lastId, filter, headers, headOnly });
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.#stream.stop();
  }
}

/** The newest entries, numbered as they come. */
class RecentLog implements Log {
  #entries: Entry[] = [];
  #bytes = 0;
  /** How many entries are no longer held. */
  #forgotten = 0;

  get lastId(): string {
    return idOf(this.#forgotten + this.#entries.length);
  }

  append(frame: string, key: string): void {
    if (this.#entries.length >= heldEntriesMax || this.#bytes >= heldBytesMax) this.#forgetHalf();
    this.#entries.push({ id: idOf(this.#forgotten + this.#entries.length + 1), key, frame });
    this.#bytes += frame.length;
  }

  async read(position: string, filter: string | undefined): Promise<Page> {
    const unseen = this.#entries.slice(Math.max(0, Number(position) - this.#forgotten));
    return {
      entries: filter === undefined ? unseen : unseen.filter(({ key }) => this.passes(filter, key)),
      position: this.lastId,
      atHead: true,
      gap: Number(position) < this.#forgotten,
    };
  }

  passes(filter: string, key: string): boolean {
    return filter === key;
  }

  #forgetHalf(): void {
    const oldest = this.#entries.splice(0, Math.ceil(this.#entries.length / 2));
    this.#forgotten += oldest.length;
    for (const { frame } of oldest) this.#bytes -= frame.length;
  }
}

/** Ids are compared as text. */
function idOf(count: number): string {
  return String(count).padStart(16, '0');
}
