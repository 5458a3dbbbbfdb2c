import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The URLs for publishing and subscribing. */
export interface Target {
  readonly url: string;
  readonly publishPath: string;
  readonly subscribePath: string;
  readonly headers: Readonly<Record<string, string>>;
}

const completeAnswer = /^HTTP\/1\.1 (\d+) .*?\r\ncontent-length: (\d+)\r\n(?:.*?\r\n)??\r\n/is;

/** A persistent connection that posts sequentially. */
export class Publisher {
  readonly #socket: Socket;
  readonly #head: string;
  readonly #closed: Promise<never>;

  static async open(target: Target): Promise<Publisher> {
    const { hostname, port } = new URL(target.url);
    const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
    await once(socket, 'connect');
    return new Publisher(socket, target);
  }

  private constructor(socket: Socket, { publishPath, headers }: Target) {
    this.#socket = socket;
    this.#closed = once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed')));
    this.#closed.catch(() => undefined);
    socket.on('error', () => undefined);
    const lines = Object.entries({ Host: 'localhost', 'Content-Type': 'application/json', ...headers });
    this.#head = `POST ${publishPath} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
  }

  /** Posts ASCII text. @throws if there is no response or its status is not 2xx */
  async post(body: string): Promise<void> {
    this.#socket.write(`${this.#head}Content-Length: ${body.length}\r\n\r\n${body}`);
    let answer = '';
    for (;;) {
      answer += String((await Promise.race([once(this.#socket, 'data'), this.#closed]))[0]);
      const [head, status, length] = completeAnswer.exec(answer) ?? [];
      if (head === undefined || answer.length < head.length + Number(length)) continue;
      if (!status?.startsWith('2')) throw new Error(`a post was refused:\n${answer}`);
      return;
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
