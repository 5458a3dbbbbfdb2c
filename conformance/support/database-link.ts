import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** A way to the database that a test can cut and mend, as a network would. */
export class DatabaseLink {
  /** The database behind the link. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: { cut: boolean };

  static open(databaseUrl: string): Promise<DatabaseLink> {
    const sockets = new Set<Socket>();
    const state = { cut: false };
    const server = createServer((near) => {
      sockets.add(near);
      near.on('error', () => undefined).on('close', () => sockets.delete(near));
      if (state.cut) {
        near.destroy();
        return;
      }
      const far = connect(addressOf(databaseUrl));
      sockets.add(far);
      far.on('error', () => near.destroy()).on('close', () => sockets.delete(far));
      near.on('close', () => far.destroy());
      near.pipe(far).pipe(near);
    });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        const url = new URL(databaseUrl);
        url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
        url.searchParams.delete('host');
        resolve(new DatabaseLink({ url: url.href, server, sockets, state }));
      });
    });
  }

  private constructor(parts: { url: string; server: Server; sockets: Set<Socket>; state: { cut: boolean } }) {
    this.url = parts.url;
    this.#server = parts.server;
    this.#sockets = parts.sockets;
    this.#state = parts.state;
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.#state.cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#state.cut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

/** Where a database URL leads: a host, or the folder of a Unix socket in its `host` parameter. */
function addressOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${port || 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
