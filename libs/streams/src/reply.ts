import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pingText, retryText } from './frame.ts';
import type { Sink } from './hub.ts';

export interface EventStreamOptions {
  readonly heartbeatMs: number;
  /** What the client is told to wait before it reconnects. */
  readonly reconnectMs: number;
  /** A reader that takes nothing for so long is closed; it resumes by its id (reading 6.6). */
  readonly stalledMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request was a HEAD: the head is the whole answer. */
  readonly headOnly?: boolean;
}

const ping = Buffer.from(pingText);

/** The headers of every event stream (reading 6.5). */
const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The server's side of one event stream. After its head, chunks are written to the socket itself, and the end of the
 * connection ends the body: one buffer then serves every subscriber, where HTTP chunking would cost each its own
 * framing (and HTTP/1.0 proxies could not read it).
 */
export class EventStreamReply implements Sink {
  readonly #socket: Socket;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stalledMs: number;
  #takenBytes = 0;
  #takenAt = 0;
  #drained: Promise<void> | undefined;

  /** Answers the head at once; `undefined` where there is nobody to stream to. */
  static async open(response: ServerResponse, options: EventStreamOptions): Promise<EventStreamReply | undefined> {
    const socket = await socketOf(response);
    if (!socket || socket.destroyed) return undefined;
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.writeHead(200, { ...streamHeaders, ...options.headers });
    if (options.headOnly) {
      response.end();
      return undefined;
    }
    response.flushHeaders();
    return new EventStreamReply(socket, options);
  }

  private constructor(socket: Socket, options: EventStreamOptions) {
    this.#socket = socket;
    this.#stalledMs = options.stalledMs;
    socket.setNoDelay(true);
    socket.setTimeout(0);
    // The request is over; bytes that still come are no request of this connection and are not kept.
    socket.on('error', () => socket.destroy());
    this.#takenAt = performance.now();
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs);
    socket.once('close', () => clearInterval(this.#heartbeat));
    this.write(Buffer.from(retryText(options.reconnectMs)));
  }

  get closed(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  get backlogBytes(): number {
    return this.#socket.writableLength;
  }

  write(chunk: Buffer): void {
    if (!this.closed) this.#socket.write(chunk);
  }

  drained(): Promise<void> {
    if (this.closed || !this.#socket.writableNeedDrain) return Promise.resolve();
    this.#drained ??= new Promise<void>((resolve) => {
      const settle = () => {
        this.#socket.off('drain', settle).off('close', settle);
        this.#drained = undefined;
        resolve();
      };
      this.#socket.on('drain', settle).on('close', settle);
    });
    return this.#drained;
  }

  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#socket.once('close', listener);
  }

  /** Ends the stream cleanly after what was written. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.#socket.end();
  }

  /** Cuts the connection, whatever the reader has not taken. */
  destroy(): void {
    this.#socket.destroy();
  }

  #beat(): void {
    const takenBytes = this.#socket.bytesWritten - this.#socket.writableLength;
    if (takenBytes !== this.#takenBytes || this.#socket.writableLength === 0) {
      this.#takenBytes = takenBytes;
      this.#takenAt = performance.now();
    } else if (performance.now() - this.#takenAt >= this.#stalledMs) {
      this.#socket.destroy();
      return;
    }
    // A ping for a reader that takes nothing would only pile up behind what it has not taken.
    if (this.#socket.writableLength === 0) this.write(ping);
  }
}

/**
 * The connection of a response. One whose request was sent behind another (pipelining) gets it when that one is
 * answered; `null` where the client has gone before.
 */
async function socketOf(response: ServerResponse): Promise<Socket | null> {
  if (response.socket) return response.socket;
  const connection = response.req.socket;
  return new Promise((resolve) => {
    const settle = () => {
      response.off('socket', settle);
      connection.off('close', settle);
      resolve(response.socket);
    };
    response.once('socket', settle);
    connection.once('close', settle);
  });
}
