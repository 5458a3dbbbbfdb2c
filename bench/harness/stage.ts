import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { ProgramProcess } from '@shiplog/testing/process';
import pg from 'pg';
import { openFolder } from './folder.ts';

export const keys = { api: 'bench-api-key', control: 'bench-control-key' } as const;

/** A database server and the service as its own process, as in production: logs at `info`, everything switched on. */
export interface Stage {
  readonly url: string;
  readonly servicePid: number;
  readonly databaseUrl: string;
  /** A connection of the bench's own, for filling and for plain SQL. */
  readonly sql: pg.Client;
  /** Parameters that lead pgbench to the same database. */
  readonly pgbench: readonly string[];
  /** A further instance on the same database, with these settings beside those of the stage; ended by the caller. */
  startInstance(settings?: Readonly<Record<string, string>>): ProgramProcess;
  /** Figures that the service tells of itself, by name, labels dropped and summed. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** Sets a stage up in a temporary folder, the service with these further settings. */
export async function openStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const folder = await openFolder();
  const database = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    settings: { max_connections: '400', shared_buffers: '1GB', max_wal_size: '4GB' },
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

function urlOf({ connection }: EmbeddedPostgres): string {
  const { host, port, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
