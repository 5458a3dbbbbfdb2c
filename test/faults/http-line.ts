import type { Answer } from '@shiplog/testing/http';
import { RawClient } from '@shiplog/testing/socket';
import type { History } from './history.ts';

export interface Call {
  /** The name of the call in violations. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The allowed statuses besides 503. */
  readonly good: readonly number[];
}

const answerWithinMs = 25_000;

/** A persistent connection for sequential requests, opened on demand; the history records the responses. */
export class HttpLine {
  readonly #url: string;
  readonly #history: History;
  #client: RawClient | undefined;

  constructor(url: string, history: History) {
    this.#url = url;
    this.#history = history;
  }

  /**
   * Sends a request and returns the response; `undefined` if it is incomplete. The connection may be cut but must not
   * hang.
   */
  async call({ name, method, path, headers = {}, body = '', good }: Call): Promise<Answer | undefined> {
    const fields = { Host: 'shiplog', 'Content-Length': String(Buffer.byteLength(body)), ...headers };
    const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\r\n`);
    const timer = setTimeout(() => {
      this.#history.violated('answer', `${name} got no response within ${answerWithinMs} ms`);
      this.close();
    }, answerWithinMs);
    try {
      this.#client ??= await RawClient.connect(this.#url);
      void this.#client.send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      const answer = await this.#client.answer();
      this.#history.answered(name, answer, good);
      return answer;
    } catch {
      this.close();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}
