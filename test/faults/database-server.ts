import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { runSql } from '@shiplog/testing/database';
import { makeFolder, removeFolder } from '@shiplog/testing/folder';
import { urlOf } from '@shiplog/testing/postgres-server';
import { childrenOf, signalTo } from '@shiplog/testing/process-table';
import pg from 'pg';
import { SmallDisk } from './disk.ts';

/** Low enough that a test can exhaust it, but enough for all connections of three instances. */
export const connectionsMax = 64;

const settings = {
  max_connections: String(connectionsMax),
  superuser_reserved_connections: '0',
  max_wal_size: '160MB',
  min_wal_size: '80MB',
  shared_buffers: '96MB',
};

/** The database of a run. The server can be killed, and its disk can be filled. */
export class DatabaseServer {
  /** The disk. If the test can't mount one, this is `undefined` and `noDisk` says why. */
  readonly disk: SmallDisk | undefined;
  readonly noDisk: string;
  readonly #folder: string;
  #server: EmbeddedPostgres | undefined;
  #ended = false;

  static async open(): Promise<DatabaseServer> {
    const folder = await makeFolder();
    const server = new DatabaseServer(folder, await smallDisk(join(folder, 'disk')));
    await server.start();
    return server;
  }

  private constructor(folder: string, { disk, noDisk }: Awaited<ReturnType<typeof smallDisk>>) {
    this.#folder = folder;
    this.disk = disk;
    this.noDisk = noDisk;
  }

  get #running(): EmbeddedPostgres {
    if (!this.#server) throw new Error('the database server is not started');
    return this.#server;
  }

  get url(): string {
    return urlOf(this.#running);
  }

  /** Starts the server unless it is running, with crash recovery if needed. */
  async start(): Promise<void> {
    if (this.#server && !this.#ended) return;
    await this.#server?.stop();
    this.#server = await startEmbeddedPostgres({ dataDir: join(this.#folder, 'disk', 'data'), settings });
    this.#ended = false;
    this.#server.onExit(() => {
      this.#ended = true;
    });
  }

  /** Sends SIGKILL to all server processes, starting with the main process, so that none can write its buffers. */
  async kill(): Promise<void> {
    const { pid } = this.#running;
    const children = await childrenOf(pid);
    const ended = new Promise<string>((resolve) => this.#running.onExit(resolve));
    for (const target of [pid, ...children]) signalTo(target, 'SIGKILL');
    await ended;
  }

  /** Opens another connection. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#running.connection, application_name: 'faults' });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return runSql<Row>(this.url, text, values);
  }

  async close(): Promise<void> {
    await this.#server?.stop();
    this.disk?.unmount();
    await removeFolder(this.#folder);
  }
}

async function smallDisk(folder: string): Promise<{ disk: SmallDisk | undefined; noDisk: string }> {
  await mkdir(folder, { mode: 0o755 });
  try {
    return { disk: SmallDisk.mount(folder), noDisk: '' };
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    return { disk: undefined, noDisk: String(stderr ?? error).trim() };
  }
}
