import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Answer, addressOf, answerOf } from './http.ts';

/** A bare TCP connection, for requests that no HTTP client would send. */
export class Wire {
  closed = false;
  /** The connection did not end cleanly. */
  broken = false;
  #bytes = Buffer.alloc(0);
  readonly #socket: Socket;
  readonly #watchers = new Set<() => void>();

  /** Connects; closed when the test is over. */
  static async open(baseUrl: string): Promise<Wire> {
    const { hostname, port } = addressOf(baseUrl);
    const wire = await new Promise<Wire>((resolve, reject) => {
      const socket = connect({ host: hostname, port }, () => resolve(new Wire(socket)));
      socket.once('error', reject);
    });
    onTestFinished(() => wire.close());
    return wire;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#changed();
    });
    socket.on('error', () => {
      this.broken = true;
    });
    socket.on('close', () => {
      this.closed = true;
      this.#changed();
    });
  }

  /** All that came so far, whole answers that were taken apart. */
  get text(): string {
    return this.#bytes.toString('utf8');
  }

  /** Sends bytes; characters up to U+00FF stand for one byte each. Resolves when they have left. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(Buffer.from(text, 'latin1'), () => resolve());
    });
  }

  /** Resolves with the next answer once it has arrived as a whole. Its length must have been told. */
  async answer(): Promise<Answer> {
    await this.until(() => this.#answer() !== undefined || this.closed);
    const found = this.#answer();
    if (!found) throw new Error(`the connection was closed after: ${JSON.stringify(this.#bytes.toString('latin1'))}`);
    this.#bytes = this.#bytes.subarray(found.end);
    return found.answer;
  }

  /** Resolves when the other side has closed the connection. */
  async end(): Promise<void> {
    await this.until(() => this.closed);
  }

  /** Resolves as soon as the condition holds; looks again whenever something arrived. */
  until(condition: (wire: Wire) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #answer(): { answer: Answer; end: number } | undefined {
    const headEnd = this.#bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = this.#bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const bytes = this.#bytes.subarray(headEnd + 4);
    const length = Number(headers['content-length'] ?? 0);
    if (bytes.length < length) return undefined;
    const answer = answerOf({ status: Number(statusLine.split(' ')[1]), headers, bytes: bytes.subarray(0, length) });
    return { answer, end: headEnd + 4 + length };
  }

  #changed(): void {
    for (const look of [...this.#watchers]) look();
  }
}
