import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { NoticeFilter, StatementNames } from './wire.ts';

/**
 * What becomes of connections:
 * - `open`: everything passes;
 * - `cut`: each ends at once, as by a server that is down;
 * - `stalled`: each stays and nothing passes, as by a network that swallows packets.
 */
type Way = 'open' | 'cut' | 'stalled';

/** The network between one instance and the database, in the hands of the test. */
export class Link {
  /** Notices of the database do not arrive. */
  deaf = false;
  readonly #server: Server;
  readonly #socketPath: string;
  readonly #lines = new Set<Line>();
  readonly #statements = new Set<string>();
  #way: Way = 'open';

  /** Listens on a free port for connections that go to the server on a Unix socket. */
  static async open(socketPath: string): Promise<Link> {
    const link = new Link(socketPath);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  private constructor(socketPath: string) {
    this.#socketPath = socketPath;
    this.#server = createServer((near) => this.#join(near));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many connections there are, and how many statements have been prepared on any so far, each counted once. */
  get usage(): { connections: number; statements: number } {
    return { connections: this.#lines.size, statements: this.#statements.size };
  }

  set way(way: Way) {
    this.#way = way;
    for (const line of this.#lines) line.take(way);
  }

  /** Ends what is there; new connections are treated as before. */
  cut(): void {
    for (const line of this.#lines) line.take('cut');
  }

  async close(): Promise<void> {
    this.way = 'cut';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const statements = new StatementNames(this.#statements);
    const line = new Line(near, connect(this.#socketPath), { statements, isDeaf: () => this.deaf });
    this.#lines.add(line);
    near.once('close', () => this.#lines.delete(line));
    line.take(this.#way);
  }
}

/** One connection. */
class Line {
  readonly #ends: readonly [near: Socket, far: Socket];

  constructor(near: Socket, far: Socket, look: { statements: StatementNames; isDeaf: () => boolean }) {
    this.#ends = [near, far];
    const notices = new NoticeFilter();
    near.on('data', (chunk) => {
      look.statements.look(chunk);
      far.write(chunk);
    });
    far.on('data', (chunk) => near.write(notices.pass(chunk, look.isDeaf())));
    near.on('error', () => undefined).on('close', () => far.destroy());
    far.on('error', () => undefined).on('close', () => near.destroy());
  }

  take(way: Way): void {
    for (const end of this.#ends) {
      if (way === 'cut') end.destroy();
      else if (way === 'stalled') end.pause();
      else end.resume();
    }
  }
}
