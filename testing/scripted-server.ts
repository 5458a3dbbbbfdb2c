import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Watchers } from './watchers.ts';

/** A received request. */
export interface Received {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the request's connection is closed. */
  closed: boolean;
}

/** Handles one request. */
export type Act = (response: ServerResponse, request: Received) => void;

/** An HTTP server that follows a test's script and records its requests. A route is a method and a path. */
export class ScriptedServer {
  readonly received: Received[] = [];
  /** The acts for the next requests of each route; the last act of a route is repeated. */
  readonly #acts = new Map<string, Act[]>();
  readonly #others: Act[];
  readonly #open = new Map<string, ServerResponse[]>();
  readonly #watchers = new Watchers();
  readonly #server: Server;

  /** Listens on a free port. Closed when the test ends. The acts handle requests for routes without a script. */
  static async open(...acts: Act[]): Promise<ScriptedServer> {
    return new ScriptedServer(acts).listen();
  }

  protected constructor(acts: Act[]) {
    this.#others = acts;
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket) => socket.on('error', () => undefined));
  }

  protected async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    onTestFinished(async () => {
      this.#server.closeAllConnections();
      this.#server.close();
      await once(this.#server, 'close');
    });
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** These acts handle the next requests of a route, in order. The last act also handles all later requests. */
  script(route: string, ...acts: Act[]): void {
    this.#acts.set(route, [...acts]);
  }

  of(route: string): Received[] {
    return this.received.filter(({ method, path }) => `${method} ${path}` === route);
  }

  get lastEventIds(): (string | undefined)[] {
    return this.received.map(({ headers }) => headers['last-event-id'] as string | undefined);
  }

  /** Writes to every open connection of a route. Waits until there is at least one. */
  async send(route: string, text: string): Promise<void> {
    const open = () => (this.#open.get(route) ?? []).filter((response) => response.headersSent && !response.destroyed);
    await this.until(() => open().length > 0);
    for (const response of open()) response.write(text);
  }

  /** Ends every open connection of a route. */
  end(route: string): void {
    for (const response of this.#open.get(route) ?? []) response.end();
  }

  /** Resolves when the condition is true. Checks it after each request and each closed connection. */
  until(condition: () => boolean): Promise<void> {
    return this.#watchers.until(condition);
  }

  /** Resolves when this many requests have arrived. */
  asked(count: number): Promise<void> {
    return this.until(() => this.received.length >= count);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece)).on('error', () => undefined);
    await once(request, 'end');
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    const received: Received = { method, url, path, headers, body: Buffer.concat(pieces), closed: false };
    const route = `${method} ${path}`;
    const acts = this.#acts.get(route) ?? this.#others;
    const act = acts.length > 1 ? acts.shift() : acts[0];
    this.received.push(received);
    this.#open.set(route, [...(this.#open.get(route) ?? []), response]);
    response.on('close', () => {
      received.closed = true;
      this.#watchers.changed();
    });
    act?.(response, received);
    this.#watchers.changed();
  }
}

export function answers(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Responds when the test calls `release`, or immediately if the test has already called it. */
export function heldBack(status: number): { readonly act: Act; readonly release: () => void } {
  let held: ServerResponse | undefined;
  let isReleased = false;
  const answer = () => void (isReleased && held?.writeHead(status).end());
  return {
    act: (response) => {
      held = response;
      answer();
    },
    release: () => {
      isReleased = true;
      answer();
    },
  };
}

/** Never responds. */
export const hangs: Act = () => undefined;

/** Ends the connection without a response. */
export const cuts: Act = (response) => response.destroy();

/** Opens an event stream, sends these chunks and leaves it open. */
export function sends(...pieces: readonly (string | Uint8Array)[]): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-stream-resume': 'replay' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };
}

/** Opens a stream and sends each byte separately. */
export function trickles(bytes: Uint8Array): Act {
  return (response, request) => {
    sends()(response, request);
    const sendFrom = (at: number) => {
      if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(() => sendFrom(at + 1)));
    };
    sendFrom(0);
  };
}

/** Opens a stream, sends these chunks and ends it. */
export function sendsAll(...pieces: readonly (string | Uint8Array)[]): Act {
  return (response, request) => {
    sends(...pieces)(response, request);
    response.end();
  };
}

/** Opens a stream, sends these chunks and then cuts the connection. */
export function sendsAndCuts(...pieces: readonly string[]): Act {
  return (response, request) => {
    sends(...pieces.slice(0, -1))(response, request);
    response.write(pieces.at(-1) ?? '', () => response.destroy());
  };
}
