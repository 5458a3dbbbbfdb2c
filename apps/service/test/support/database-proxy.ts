import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What becomes of connections:
 * - `open`: everything passes;
 * - `refused`: each is cut at once, as by a server that is down;
 * - `silent`: each is taken and nothing passes, as by a network that swallows packets;
 * - `held`: what the service says passes, what the server answers is held.
 */
export type Way = 'open' | 'refused' | 'silent' | 'held';

export interface DatabaseProxyOptions {
  /** Looks at every piece that the server sends and gives what is passed on; one for each connection. */
  readonly answers?: () => (piece: Buffer) => Buffer;
}

/** A network between a service and its database that a test can cut, hold or spoil. */
export class DatabaseProxy {
  readonly #server: Server;
  #databaseUrl: URL;
  readonly #answers: () => (piece: Buffer) => Buffer;
  readonly #lines = new Set<Line>();
  readonly #events = new EventEmitter();
  #way: Way = 'open';
  #holdAfter: string | undefined;

  /** Listens on a free port; closed when the test is over. */
  static async open(databaseUrl: string, options: DatabaseProxyOptions = {}): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(databaseUrl, options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(() => proxy.#close());
    return proxy;
  }

  private constructor(databaseUrl: string, options: DatabaseProxyOptions) {
    this.#databaseUrl = new URL(databaseUrl);
    this.#answers = options.answers ?? (() => (piece) => piece);
    this.#server = createServer((client) => this.#join(client));
  }

  /** The database by way of the proxy. */
  get url(): string {
    const url = new URL(this.#databaseUrl);
    url.search = '';
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** New connections lead to this database; those that are there stay where they are. */
  leadTo(databaseUrl: string): void {
    this.#databaseUrl = new URL(databaseUrl);
  }

  /** From now on; `refused` also cuts what is there, `open` first passes on what was held. */
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
   * Holds the answers of the next connection on which the service says this, from then on. Resolves when it has said
   * it, with a promise that resolves when the server has hung up on that connection.
   */
  async holdAfter(words: string): Promise<{ readonly hungUp: Promise<void> }> {
    this.#holdAfter = words;
    const [line] = (await once(this.#events, 'held')) as [Line];
    return { hungUp: line.hungUp };
  }

  #join(client: Socket): void {
    const line = new Line(client, connect(targetOf(this.#databaseUrl)), this.#answers());
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

  async #close(): Promise<void> {
    this.way = 'refused';
    this.#server.close();
    await once(this.#server, 'close');
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

  constructor(client: Socket, server: Socket, answer: (piece: Buffer) => Buffer) {
    this.#client = client;
    this.#server = server;
    client.on('error', () => undefined).on('data', (piece) => server.write(piece));
    server
      .on('error', () => undefined)
      .on('data', (piece) => {
        this.#held.push(answer(piece));
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

  /** In one piece, however many there were: what the service reads at once, it handles at once. */
  #passOn(): void {
    if (this.#way !== 'open') return;
    if (this.#held.length > 0) this.#client.write(Buffer.concat(this.#held.splice(0)));
    if (this.#ended) this.#client.end();
  }
}

function targetOf({ hostname, port, searchParams }: URL): { host: string; port: number } | { path: string } {
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.${port || 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
