import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The connection was refused or cut before the answer was complete. */
export class Cut extends Error {}

/** Nothing has come for so long that a caller would call it hung. */
export class Hung extends Error {}

const answerWithinMs = 25_000;
const headEnd = Buffer.from('\r\n\r\n');

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One connection that is kept open for one request after another; it is opened when it is needed. */
export class HttpLine {
  readonly #url: URL;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #received: Buffer = Buffer.alloc(0);

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** @throws Cut or Hung where no answer comes. */
  call(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<Answer> {
    const lines = Object.entries({
      Host: this.#url.host,
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new Hung(`no answer within ${answerWithinMs} ms`)), answerWithinMs);
      this.#waiting = { resolve, reject, timer };
      this.#socket ??= this.#open();
      this.#socket.write(
        `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#end(new Cut('closed'));
  }

  #open(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#end(new Cut('the connection was cut'));
    });
    socket.on('data', (chunk) => {
      this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk;
      const read = readAnswer(this.#received);
      if (!read) return;
      this.#received = this.#received.subarray(read.bytes);
      const waiting = this.#waiting;
      this.#waiting = undefined;
      clearTimeout(waiting?.timer);
      waiting?.resolve(read.answer);
    });
    return socket;
  }

  #end(reason: Error): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
    clearTimeout(this.#waiting?.timer);
    this.#waiting?.reject(reason);
    this.#waiting = undefined;
  }
}

/** The status and the headers of an answer whose head is there, and where its body begins. */
export function readHead(received: Buffer): (Omit<Answer, 'body'> & { readonly bytes: number }) | undefined {
  const end = received.indexOf(headEnd);
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), bytes: end + headEnd.length };
}

/** An answer whose body is there too, by its length. */
export function readAnswer(received: Buffer): { readonly answer: Answer; readonly bytes: number } | undefined {
  const head = readHead(received);
  if (!head) return undefined;
  const bytes = head.bytes + Number(head.headers['content-length'] ?? 0);
  if (received.length < bytes) return undefined;
  const { status, headers } = head;
  return { answer: { status, headers, body: received.subarray(head.bytes, bytes) }, bytes };
}
