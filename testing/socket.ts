import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Answer, addressOf, answerOf } from './http.ts';
import { Watchers } from './watchers.ts';

/** One TCP connection to a program, for what no HTTP client would send. */
export class RawClient {
  /** What came back, as Latin-1, but for the answers that were taken. */
  text = '';
  /** Why the connection was cut, where it was not ended. */
  failure: Error | undefined;
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  readonly #watchers = new Watchers();

  /** Connects; cut when the test is over. */
  static async open(url: string): Promise<RawClient> {
    const client = await RawClient.connect(url);
    onTestFinished(() => client.close());
    return client;
  }

  /** The same, closed by the caller or by the program. */
  static async connect(url: string): Promise<RawClient> {
    const { hostname: host, port } = addressOf(url);
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    void this.#closed.then(() => this.#watchers.changed());
    socket.on('error', (error) => {
      this.failure = error;
    });
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.text += text;
      this.#watchers.changed();
    });
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends bytes; characters up to U+00FF stand for one byte each. Resolves when they have left. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, 'latin1', () => resolve()));
  }

  /** Says that nothing more is going to be sent. */
  end(): void {
    this.#socket.end();
  }

  /** Takes nothing more from the connection, so that the sender's side fills up. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves when the condition holds or the connection is closed. */
  until(condition: (text: string) => boolean): Promise<void> {
    return this.#watchers.until(() => condition(this.text) || this.isClosed);
  }

  /** Takes the next answer off the text once it has arrived as a whole; its length must have been told. */
  async answer(): Promise<Answer> {
    let found: ReturnType<typeof readAnswer>;
    await this.until((text) => {
      found = readAnswer(text);
      return found !== undefined;
    });
    if (!found) throw new Error(`the connection was closed after: ${JSON.stringify(this.text)}`);
    this.text = found.rest;
    return found.answer;
  }

  /** Takes all answers of a connection that is closed. @throws Error where something else came. */
  answers(): Answer[] {
    const answers: Answer[] = [];
    while (this.text !== '') {
      const found = readAnswer(this.text, { isWhole: true });
      if (!found) throw new Error(`no whole answer is ${JSON.stringify(this.text.slice(0, 200))}`);
      this.text = found.rest;
      // Interim answers are none.
      if (found.answer.status >= 200) answers.push(found.answer);
    }
    return answers;
  }

  closed(): Promise<unknown> {
    return this.#closed;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * The answer that a text begins with, and what is behind it; `undefined` where it is not there as a whole. Where the text
 * is all that ever comes, its end is the end of a body without a length.
 */
function readAnswer(
  text: string,
  { isWhole = false } = {},
): { readonly answer: Answer; readonly rest: string } | undefined {
  const [head = ''] = text.split('\r\n\r\n', 1);
  const [line = '', ...lines] = head.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? [];
  if (status === undefined || head.length === text.length) return undefined;
  const headers: Readonly<Record<string, string>> = Object.fromEntries(
    lines.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(head.length + 4);
  const hasBody = Number(status) >= 200 && Number(status) !== 304;
  const length = hasBody ? bodyLength(headers, body, isWhole) : 0;
  if (length === undefined || body.length < length) return undefined;
  const bytes = Buffer.from(body.slice(0, length), 'latin1');
  const answer = answerOf({ status: Number(status), headers, text: bytes.toString() });
  return { answer, rest: body.slice(length) };
}

/** How long a body is, its chunks as they stand; `undefined` where that cannot be told yet. */
function bodyLength(headers: Readonly<Record<string, string>>, body: string, isWhole: boolean): number | undefined {
  if (headers['transfer-encoding'] === 'chunked') {
    const end = body.indexOf('0\r\n\r\n');
    return end < 0 ? undefined : end + 5;
  }
  return Number(headers['content-length'] ?? (isWhole ? body.length : 0));
}
