import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, keyHeaders } from '@shiplog/contract';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { ProgramProcess } from '@shiplog/testing/process';
import pg from 'pg';
import { openFolder } from './folder.ts';
import type { Target } from './publisher.ts';

export const keys = { api: 'bench-api-key', control: 'bench-control-key' } as const;

/**
 * A database server and the service, in a separate process and with the same settings as in production: log level
 * `info`, all features on.
 */
export interface Stage {
  readonly url: string;
  readonly servicePid: number;
  readonly databaseUrl: string;
  readonly server: Pick<EmbeddedPostgres, 'pid' | 'dataDir' | 'connection'>;
  /** The benchmark's own connection, for filling the log and for plain SQL. */
  readonly sql: pg.Client;
  /** Parameters of pgbench for the same database. */
  readonly pgbench: readonly string[];
  /** Starts another instance on the same database with additional settings. The caller must stop it. */
  startInstance(settings?: Readonly<Record<string, string>>): ProgramProcess;
  /** The metrics of the service by name, summed over labels. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** Settings of every database server. */
export const serverSettings = { max_connections: '400', shared_buffers: '1GB', max_wal_size: '4GB' };

export interface StageServer {
  /** A persistent data directory. By default, the directory is temporary. */
  readonly dataDir?: string | undefined;
  /** Additional settings of the database server. */
  readonly database?: Readonly<Record<string, string>>;
}

/** Sets up a stage. The service gets these additional settings. */
export async function openStage(
  settings: Readonly<Record<string, string>> = {},
  server: StageServer = {},
): Promise<Stage> {
  const folder = await openFolder();
  const database = await startEmbeddedPostgres({
    dataDir: server.dataDir ?? join(folder, 'data'),
    settings: { ...serverSettings, ...server.database },
  });
  const databaseUrl = urlOf(database);
  const startInstance = (further: Readonly<Record<string, string>> = {}) =>
    ProgramProcess.start('service', {
      DATABASE_URL: databaseUrl,
      API_KEY: keys.api,
      CONTROL_API_KEY: keys.control,
      PORT: '0',
      ...settings,
      ...further,
    });
  const service = startInstance();
  const url = await service.ready();
  const sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
  const { host, port, user } = database.connection;
  return {
    url,
    servicePid: service.pid,
    databaseUrl,
    server: database,
    sql,
    pgbench: ['-h', host, '-p', String(port), '-U', user, database.connection.database],
    startInstance,
    metric: (name) => readMetric(url, name),
    close: async () => {
      await sql.end();
      await service.terminate();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A connection string for a server's socket. */
export function urlOf({ connection }: Pick<EmbeddedPostgres, 'connection'>): string {
  const { host, port, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** The URLs of an instance for posts and for its stream. */
export function postTarget(url: string): Target {
  return {
    url,
    publishPath: endpoints.appendDeployment.path,
    subscribePath: endpoints.streamDeployments.path,
    headers: { [keyHeaders.api]: keys.api },
  };
}

export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
