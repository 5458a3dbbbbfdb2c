import type { Answer } from '@shiplog/testing/http';
import { RawClient } from '@shiplog/testing/socket';

/** The connection was refused, or cut before the response was complete. */
export class Cut extends Error {}

/** No data arrived until the caller's timeout. */
export class Hung extends Error {}

const answerWithinMs = 25_000;

/** A persistent connection for sequential requests, opened on demand. */
export class HttpLine {
  readonly #url: string;
  #client: RawClient | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request and returns its response. @throws Cut or Hung if there is no complete response. */
  async call(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<Answer> {
    const fields = { Host: 'shiplog', 'Content-Length': String(Buffer.byteLength(body)), ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      this.close();
    }, answerWithinMs);
    try {
      this.#client ??= await RawClient.connect(this.#url);
      void this.#client.send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      return await this.#client.answer();
    } catch (error) {
      this.close();
      throw isHung ? new Hung(`no answer within ${answerWithinMs} ms`) : new Cut(String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}
