import { connect, type Socket } from 'node:net';
import { type Answer, readAnswer, readHead } from './http-line.ts';

export interface StreamRequest {
  readonly url: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Told of the head; of a refusal with its body. */
  readonly onAnswer: (answer: Answer) => void;
  /** Told of every frame; its data is good until the call has ended. */
  readonly onFrame: (frame: { readonly id: string; readonly event: string; readonly data: Buffer }) => void;
}

const frameEnd = Buffer.from('\n\n');
const dataLine = Buffer.from('\ndata: ');

/** One connection to an event stream, which ends when either side ends it. */
export class StreamLine {
  readonly closed: Promise<void>;
  readonly #request: StreamRequest;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #streaming = false;

  constructor(request: StreamRequest) {
    this.#request = request;
    const { hostname, host, port } = new URL(request.url);
    const lines = Object.entries({ Host: host, ...request.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('error', () => undefined).on('data', (chunk) => this.#take(chunk));
    this.#socket.write(`GET ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  /** Takes nothing more from the connection. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk;
    if (!this.#streaming) this.#takeHead();
    if (this.#streaming) this.#takeFrames();
  }

  #takeHead(): void {
    const head = readHead(this.#received);
    if (head?.status === 200) {
      this.#streaming = true;
      this.#received = this.#received.subarray(head.bytes);
      this.#request.onAnswer({ ...head, body: Buffer.alloc(0) });
      return;
    }
    const refusal = readAnswer(this.#received);
    if (!refusal) return;
    this.#request.onAnswer(refusal.answer);
    this.close();
  }

  #takeFrames(): void {
    let from = 0;
    for (let end = this.#received.indexOf(frameEnd); end >= 0; end = this.#received.indexOf(frameEnd, from)) {
      const block = this.#received.subarray(from, end);
      from = end + frameEnd.length;
      // What the visit's end has come before belongs to no reading any more.
      const data = block.indexOf(dataLine);
      if (data < 0 || this.#socket.destroyed) continue;
      // Each stream has an order of its own (reading 6.5).
      const head = block.toString('latin1', 0, data);
      const id = /^id: (.*)$/m.exec(head)?.[1] ?? '';
      const event = /^event: (.*)$/m.exec(head)?.[1] ?? '';
      this.#request.onFrame({ id, event, data: block.subarray(data + dataLine.length) });
    }
    this.#received = this.#received.subarray(from);
  }
}
