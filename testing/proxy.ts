import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * How the proxy treats connections:
 * - `open`: everything passes;
 * - `refused`: each connection is cut immediately, as if the server were down;
 * - `silent`: each connection is accepted, but no data passes, as in a network that drops packets;
 * - `held`: the client's bytes pass, but the server's responses are held back.
 */
type Way = 'open' | 'refused' | 'silent' | 'held';

/** Observes one connection. */
export interface Tap {
  /** Called with every chunk that the client sends. */
  readonly asked?: (piece: Buffer) => void;
  /** Called with every chunk that the server sends. Returns the bytes to forward. */
  readonly answered?: (piece: Buffer) => Buffer;
}

/**
 * A proxy between a program and its database or another server. A test can use it to cut, hold or change the traffic.
 */
export class NetworkProxy {
  readonly #server: Server;
  #target: URL;
  readonly #tap: () => Tap;
  readonly #lines = new Set<Line>();
  readonly #events = new EventEmitter();
  #way: Way = 'open';
  #holdAfter: string | undefined;

  /** Listens on a free port. Closed when the test ends. `tap` is called for each connection. */
  static async open(targetUrl: string, tap?: () => Tap): Promise<NetworkProxy> {
    const proxy = await NetworkProxy.start(targetUrl, tap);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  /** Like `open`, but the caller must close the proxy. */
  static async start(targetUrl: string, tap: () => Tap = () => ({})): Promise<NetworkProxy> {
    const proxy = new NetworkProxy(targetUrl, tap);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(targetUrl: string, tap: () => Tap) {
    this.#target = new URL(targetUrl);
    this.#tap = tap;
    this.#server = createServer((client) => this.#join(client));
  }

  /** The server's URL with the address of the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.search = '';
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#lines.size;
  }

  /** Sends new connections to this server. Open connections don't change. */
  leadTo(targetUrl: string): void {
    this.#target = new URL(targetUrl);
  }

  /**
   * Applies to open and new connections. `refused` cuts open connections; `open` first forwards the responses that were
   * held back.
   */
  set way(way: Way) {
    this.#way = way;
    for (const line of this.#lines) line.way = way;
  }

  /** Silently drops all data on open connections. New connections are treated as before. */
  strand(): void {
    for (const line of this.#lines) line.way = 'silent';
  }

  /** Cuts every open connection. New connections are treated as before. */
  cut(): void {
    for (const line of this.#lines) line.cut();
  }

  /**
   * Waits for the next connection on which the client sends this text, and from then on holds back the server's
   * responses on it. Resolves with another promise, which resolves when the server has closed the connection.
   */
  async holdAfter(words: string): Promise<{ readonly hungUp: Promise<void> }> {
    this.#holdAfter = words;
    const [line] = (await once(this.#events, 'held')) as [Line];
    return { hungUp: line.hungUp };
  }

  async close(): Promise<void> {
    this.way = 'refused';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const line = new Line(client, connect(addressOf(this.#target)), this.#tap());
    line.way = this.#way;
    this.#lines.add(line);
    client.on('data', (piece) => {
      if (this.#holdAfter === undefined || !piece.includes(this.#holdAfter)) return;
      this.#holdAfter = undefined;
      line.way = 'held';
      this.#events.emit('held', line);
    });
    client.once('close', () => this.#lines.delete(line));
  }
}

/** One connection through the proxy. */
class Line {
  readonly #client: Socket;
  readonly #server: Socket;
  #way: Way = 'open';
  readonly #held: Buffer[] = [];
  #ended = false;
  /** Resolves when the server has ended the connection. */
  readonly hungUp: Promise<void>;

  constructor(client: Socket, server: Socket, { asked, answered = (piece) => piece }: Tap) {
    this.#client = client;
    this.#server = server;
    client
      .on('error', () => undefined)
      .on('data', (piece) => {
        asked?.(piece);
        server.write(piece);
      });
    server
      .on('error', () => undefined)
      .on('data', (piece) => {
        this.#held.push(answered(piece));
        this.#passOn();
      });
    client.once('close', () => server.destroy());
    this.hungUp = new Promise((resolve) => {
      server.once('close', () => {
        this.#ended = true;
        this.#passOn();
        resolve();
      });
    });
  }

  set way(way: Way) {
    this.#way = way;
    if (way === 'refused') this.cut();
    else if (way === 'silent') this.#client.pause();
    else this.#client.resume();
    this.#passOn();
  }

  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  /** Forwards all data that was held back as one chunk, because a program processes data from one read together. */
  #passOn(): void {
    if (this.#way !== 'open') return;
    if (this.#held.length > 0) this.#client.write(Buffer.concat(this.#held.splice(0)));
    if (this.#ended) this.#client.end();
  }
}

/** The address in a URL: a host and port, or PostgreSQL's Unix socket in the folder given by the parameter `host`. */
function addressOf({ hostname, port, searchParams }: URL): { host: string; port: number } | { path: string } {
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.${port || 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
