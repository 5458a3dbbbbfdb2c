import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { onTestFinished } from 'vitest';
import { Watchers } from './watchers.ts';

export interface StreamReaderOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the reader stores: frames and bytes, only the ids, or nothing. It always stores the body of an error response.
   */
  readonly keeps?: 'everything' | 'ids' | 'nothing';
  /** Called with each frame as it arrives, possibly before `open` or `connect` resolves. */
  readonly onFrame?: (frame: EventSourceMessage, reader: StreamReader) => void;
}

/** One event stream connection that a test fully controls. It never reconnects and hides nothing. */
export class StreamReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Every frame so far. */
  readonly frames: EventSourceMessage[] = [];
  /** Every byte so far, as text. */
  text = '';
  ended = false;
  readonly #ids: string[] = [];
  readonly #response: IncomingMessage;
  readonly #watchers = new Watchers();

  /** Connects, and resolves when the response headers arrive. Closed when the test ends. */
  static async open(options: StreamReaderOptions): Promise<StreamReader> {
    const reader = await StreamReader.connect(options);
    onTestFinished(() => reader.close());
    return reader;
  }

  /** Like `open`, but the caller must close the connection. */
  static connect(options: StreamReaderOptions): Promise<StreamReader> {
    const { url, headers = {} } = options;
    return new Promise((resolve, reject) => {
      const request = get(url, { headers, agent: false }, (response) => resolve(new StreamReader(response, options)));
      request.on('error', reject);
    });
  }

  private constructor(response: IncomingMessage, { keeps = 'everything', onFrame }: StreamReaderOptions) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    const parser = createParser({
      onEvent: (frame) => {
        if (keeps !== 'nothing') this.#ids.push(frame.id ?? '');
        if (keeps === 'everything') this.frames.push(frame);
        onFrame?.(frame, this);
      },
    });
    const decoder = new TextDecoder();
    response.on('data', (chunk: Buffer) => {
      const text = decoder.decode(chunk, { stream: true });
      if (keeps === 'everything' || this.status !== 200) this.text += text;
      parser.feed(text);
      this.#watchers.changed();
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      this.ended = true;
      this.#watchers.changed();
    });
  }

  /** A copy of the ids of the frames so far. */
  get ids(): string[] {
    return [...this.#ids];
  }

  /** The number of frames so far. */
  get count(): number {
    return this.#ids.length;
  }

  /** Resolves when the condition is true. Checks it whenever data arrives. */
  until(condition: (reader: StreamReader) => boolean): Promise<void> {
    return this.#watchers.until(() => condition(this));
  }

  /** Resolves with the first `count` frames. */
  async take(count: number): Promise<EventSourceMessage[]> {
    await this.until((reader) => reader.frames.length >= count || reader.ended);
    if (this.frames.length < count)
      throw new Error(`the stream (status ${this.status}) ended after ${this.frames.length} of ${count} frames`);
    return this.frames.slice(0, count);
  }

  /** Resolves when either side has ended the connection. */
  ends(): Promise<void> {
    return this.until(({ ended }) => ended);
  }

  /** Stops reading from the socket, so that the sender's buffers fill up. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  /** Cuts the connection. */
  close(): void {
    this.#response.destroy();
  }
}
