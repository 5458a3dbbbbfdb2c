import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pingText, retryText } from './frame.ts';
import type { Sink } from './hub.ts';

export interface ReplyTimes {
  readonly heartbeatMs: number;
  /** How long clients should wait before they reconnect. */
  readonly reconnectMs: number;
  /** A reader that accepts no data for this long is disconnected; it resumes by its id (reading 6.6). */
  readonly stalledMs: number;
}

interface EventStreamOptions extends ReplyTimes {
  readonly headers?: Readonly<Record<string, string>>;
  readonly headOnly?: boolean;
}

const ping = Buffer.from(pingText);

/** Reading 6.5. */
const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The server side of one event stream. After the head, chunks are written directly to the socket, so that one buffer
 * serves every subscriber; HTTP chunking would need separate framing for each, and HTTP/1.0 proxies could not read it.
 */
export class EventStreamReply implements Sink {
  readonly #socket: Socket;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stalledMs: number;
  #sentBytes = 0;
  #sentAt = performance.now();
  #drained: Promise<void> | undefined;

  /** Sends the head immediately; returns `undefined` if the connection is gone, or if only the head is requested. */
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
    // The request is complete; more bytes from the client are ignored.
    socket.on('error', () => socket.destroy());
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

  /** Ends the stream cleanly after everything that was written. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.#socket.end();
  }

  /** Cuts the connection, discarding unsent bytes. */
  destroy(): void {
    this.#socket.destroy();
  }

  #beat(): void {
    const sentBytes = this.#socket.bytesWritten - this.#socket.writableLength;
    if (sentBytes !== this.#sentBytes || this.#socket.writableLength === 0) {
      this.#sentBytes = sentBytes;
      this.#sentAt = performance.now();
    } else if (performance.now() - this.#sentAt >= this.#stalledMs) {
      this.#socket.destroy();
      return;
    }
    // A ping to a stalled reader would only queue after unsent bytes.
    if (this.#socket.writableLength === 0) this.write(ping);
  }
}

/** The connection: a pipelined request gets it after the previous response. `null` if the client has disconnected. */
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
