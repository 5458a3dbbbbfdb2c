import { RawClient } from './raw-client.ts';

/** A stream reader that keeps the ids of the frames and nothing else, and that can stop taking bytes. */
export class IdReader {
  readonly ids: string[] = [];
  readonly #client: RawClient;
  #rest = '';

  /** Opens a stream, live or after an id; cut when the test is over. */
  static async open(
    url: string,
    from: { readonly service?: string | undefined; readonly after?: string | undefined },
  ): Promise<IdReader> {
    const client = await RawClient.open(url);
    const search = from.service === undefined ? '' : `?service=${from.service}`;
    const resume = from.after === undefined ? '' : `Last-Event-ID: ${from.after}\r\n`;
    client.send(`GET /api/events/stream${search} HTTP/1.1\r\nHost: shiplog\r\n${resume}\r\n`);
    await client.until((text) => text.includes('retry: '));
    return new IdReader(client);
  }

  private constructor(client: RawClient) {
    this.#client = client;
    this.#take();
  }

  /** Takes nothing more from the connection. */
  stall(): void {
    this.#client.pause();
  }

  readOn(): void {
    this.#client.resume();
  }

  /** Resolves when so many frames have come, or the connection is closed. */
  until(count: number): Promise<void> {
    return this.#client.until(() => {
      this.#take();
      return this.ids.length >= count;
    });
  }

  close(): void {
    this.#client.close();
  }

  /** JSON holds no line break, so a line that begins with `id: ` is a frame's. */
  #take(): void {
    const text = this.#rest + this.#client.text;
    this.#client.text = '';
    let at = text.indexOf('\nid: ');
    let end = 0;
    while (at >= 0) {
      const lineEnd = text.indexOf('\n', at + 1);
      if (lineEnd < 0) break;
      this.ids.push(text.slice(at + 5, lineEnd));
      end = lineEnd;
      at = text.indexOf('\nid: ', lineEnd);
    }
    this.#rest = text.slice(Math.max(end, text.length - 64));
  }
}
