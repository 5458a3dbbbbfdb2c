import type { ServerResponse } from 'node:http';
import { type FrameParts, frameText } from './frame.ts';
import type { Log, LogBounds, Page } from './log.ts';
import { LogStream, type StreamRequest, type StreamTimes } from './log-stream.ts';
import { RecentEntries } from './recent-entries.ts';

/** `data` is JSON. Line breaks, which can only stand between its tokens, become blanks. */
export interface BroadcastFrame extends FrameParts {
  /** What a filter is compared with. */
  readonly key?: string;
}

/** How much of what was published is kept for readers that are slow. */
const keptBounds = { entriesMax: 4096, charactersMax: 4 * 1024 * 1024 };

/**
 * An event stream of what is published in this process: a connection gets what comes after it opened, and nothing from
 * before. What was published last is kept for slow readers, up to a bound; a reader that falls further behind is cut
 * off, and resumes live when it reconnects.
 */
export class Broadcast {
  readonly #log = new RecentLog();
  readonly #stream: LogStream;

  /** @param resumeHeader the header that tells a client how its connection begins: `live`, or `ignored` for any id. */
  constructor(times: StreamTimes, resumeHeader?: string) {
    this.#stream = new LogStream({
      log: this.#log,
      parseId: () => undefined,
      ...(resumeHeader && { resumeHeader }),
      times,
    });
  }

  publish({ key = '', ...frame }: BroadcastFrame): void {
    this.#log.append(frameText({ ...frame, data: frame.data.replace(/[\r\n]+/g, ' ') }), key);
    this.#stream.wake();
  }

  /** Takes a response over and serves it until it is closed. */
  open(response: ServerResponse, request: StreamRequest): Promise<void> {
    return this.#stream.open(response, request);
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.#stream.stop();
  }
}

/** The newest entries, numbered as they come. */
class RecentLog implements Log {
  #count = 0;
  readonly #entries = new RecentEntries(keptBounds, idOf(0));

  append(frame: string, key: string): void {
    this.#count += 1;
    this.#entries.add([{ id: idOf(this.#count), key, frame }]);
  }

  async bounds(): Promise<LogBounds> {
    const lastId = idOf(this.#count);
    return { lastId, removedId: lastId, beginId: lastId };
  }

  async read(position: string, filter: string | undefined): Promise<Page> {
    const unseen = this.#entries.after(position);
    return {
      entries: filter === undefined ? unseen : unseen.filter(({ key }) => this.passes(filter, key)),
      position: idOf(this.#count),
      atHead: true,
      gap: !this.#entries.reachBackTo(position),
    };
  }

  passes(filter: string, key: string): boolean {
    return filter === key;
  }
}

/** Ids are compared as text. */
function idOf(count: number): string {
  return String(count).padStart(16, '0');
}
