import type { ServerResponse } from 'node:http';
import { type FrameParts, frameText } from './frame.ts';
import type { Log, LogBounds, Page } from './log.ts';
import { LogStream, type StreamRequest, type StreamTimes } from './log-stream.ts';
import { RecentEntries } from './recent-entries.ts';

/** `data` is JSON. Line breaks become spaces; they can only be between tokens. */
export interface BroadcastFrame extends FrameParts {
  /** The value that filters compare. */
  readonly key?: string;
}

const recentBounds = { entriesMax: 4096, charactersMax: 4 * 1024 * 1024 };

/**
 * An event stream of frames published in this process. A connection gets only frames published after it opened. A
 * reader that falls behind by more than the recent entries is disconnected, and resumes live when it reconnects.
 */
export class Broadcast {
  readonly #log = new RecentLog();
  readonly #stream: LogStream;

  /** @param resumeHeader the response header for how a connection starts: `live`, or `ignored` if an id was sent. */
  constructor(times: StreamTimes, resumeHeader?: string) {
    this.#stream = new LogStream({ log: this.#log, parseId: () => undefined, resumeHeader, times });
  }

  publish({ key = '', ...frame }: BroadcastFrame): void {
    this.#log.append(frameText({ ...frame, data: frame.data.replace(/[\r\n]+/g, ' ') }), key);
    this.#stream.wake();
  }

  /** Takes over a response and serves it until it is closed. */
  open(response: ServerResponse, request: StreamRequest): Promise<void> {
    return this.#stream.open(response, request);
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.#stream.stop();
  }
}

class RecentLog implements Log {
  #count = 0;
  readonly #entries = new RecentEntries(recentBounds, idOf(0));

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
