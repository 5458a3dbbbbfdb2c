import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Answer, addressOf, answerOf } from './http.ts';
import { Watchers } from './watchers.ts';

/** One TCP connection to a program, for bytes that no HTTP client would send. */
export class RawClient {
  /** The received text as Latin-1, without responses that were already returned. */
  text = '';
  /** The error that cut the connection; `undefined` if it ended normally. */
  failure: Error | undefined;
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  readonly #watchers = new Watchers();

  /** Connects. The connection is cut when the test ends. */
  static async open(url: string): Promise<RawClient> {
    const client = await RawClient.connect(url);
    onTestFinished(() => client.close());
    return client;
  }

  /** Like `open`, but the caller or the program closes the connection. */
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

  /** Sends each character up to U+00FF as one byte. Resolves when all bytes are sent. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, 'latin1', () => resolve()));
  }

  /** Ends the client's side of the connection. */
  end(): void {
    this.#socket.end();
  }

  /** Stops reading from the connection, so that the sender's buffers fill up. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves when the condition is true or the connection is closed. */
  until(condition: (text: string) => boolean): Promise<void> {
    return this.#watchers.until(() => condition(this.text) || this.isClosed);
  }

  /**
   * Waits until the next response is complete, removes it from the text and returns it. The response must have a
   * length.
   */
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

  /** Removes and returns all responses of a closed connection. @throws Error if anything else was received. */
  answers(): Answer[] {
    const answers: Answer[] = [];
    while (this.text !== '') {
      const found = readAnswer(this.text, { isWhole: true });
      if (!found) throw new Error(`not a complete response: ${JSON.stringify(this.text.slice(0, 200))}`);
      this.text = found.rest;
      // Interim responses (1xx) do not count.
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
 * The response at the beginning of a text, and the text after it; `undefined` while the response is incomplete. If the
 * text is complete because the connection is closed, its end also ends a body without a length.
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

/** The length of a body, including chunk headers; `undefined` while it is not known. */
function bodyLength(headers: Readonly<Record<string, string>>, body: string, isWhole: boolean): number | undefined {
  if (headers['transfer-encoding'] === 'chunked') {
    const end = body.indexOf('0\r\n\r\n');
    // A stream doesn't end; its connection does.
    const isCut = isWhole && headers['content-type'] === 'text/event-stream';
    return end < 0 ? (isCut ? body.length : undefined) : end + 5;
  }
  return Number(headers['content-length'] ?? (isWhole ? body.length : 0));
}
