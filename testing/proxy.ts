import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What becomes of connections:
 * - `open`: everything passes;
 * - `refused`: each is cut at once, as by a server that is down;
 * - `silent`: each is taken and nothing passes, as by a network that swallows packets;
 * - `held`: what the client says passes, what the server answers is held.
 */
type Way = 'open' | 'refused' | 'silent' | 'held';

/** What watches one connection. */
export interface Tap {
  /** Sees every piece that the client sends. */
  readonly asked?: (piece: Buffer) => void;
  /** Sees every piece that the server sends, and gives what is passed on. */
  readonly answered?: (piece: Buffer) => Buffer;
}

/** A network between a program and its database, or any other server, that a test can cut, hold or spoil. */
export class NetworkProxy {
  readonly #server: Server;
  #target: URL;
  readonly #tap: () => Tap;
  readonly #lines = new Set<Line>();
  readonly #events = new EventEmitter();
  #way: Way = 'open';
  #holdAfter: string | undefined;

  /** Listens on a free port; closed when the test is over. `tap` is asked for each connection. */
  static async open(targetUrl: string, tap?: () => Tap): Promise<NetworkProxy> {
    const proxy = await NetworkProxy.start(targetUrl, tap);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  /** The same, closed by the caller. */
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

  /** The server by way of the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.search = '';
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#lines.size;
  }

  /** New connections lead to this server; those that are there stay where they are. */
  leadTo(targetUrl: string): void {
    this.#target = new URL(targetUrl);
  }

  /** From this moment on; `refused` also cuts what is there, `open` first passes on what was held. */
  set way(way: Way) {
    this.#way = way;
    for (const line of this.#lines) line.way = way;
  }

  /** Nothing passes any more on the connections that are there, and nobody is told; new ones are treated as before. */
  strand(): void {
    for (const line of this.#lines) line.way = 'silent';
  }

  /** Cuts every connection; new ones are treated as before. */
  cut(): void {
    for (const line of this.#lines) line.cut();
  }

  /**
   * Holds the answers of the next connection on which the client says this, from then on. Resolves when it has said
   * it, with a promise that resolves when the server has hung up on that connection.
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

  /** In one piece, however many there were: what a program reads at once, it handles at once. */
  #passOn(): void {
    if (this.#way !== 'open') return;
    if (this.#held.length > 0) this.#client.write(Buffer.concat(this.#held.splice(0)));
    if (this.#ended) this.#client.end();
  }
}

/** Where a URL leads: a host, or the folder of PostgreSQL's Unix socket in its parameter `host`. */
function addressOf({ hostname, port, searchParams }: URL): { host: string; port: number } | { path: string } {
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.${port || 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
