import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connection, connectTimeoutMs } from './database.ts';

const versionMin = 14;
const noticeTimeoutMs = 3000;

/**
 * Looks at the server before anything is done on it, and gives the sentence about what is wrong with it, `undefined`
 * where it will do: reachable, new enough, writable, UTF-8, and reached directly and not through a transaction pooler
 * (through which notices would never arrive).
 */
export async function serverFault(connection: Connection): Promise<string | undefined> {
  let client: pg.Client;
  try {
    client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs, query_timeout: 10_000 });
  } catch (error) {
    return `DATABASE_URL cannot be used (${(error as Error).message}); correct it.`;
  }
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => undefined);
    return refusalOf(error) ?? unreachable(error);
  }
  try {
    return (await settingsFault(client)) ?? (await noticeFault(client, connection));
  } catch (error) {
    return refusalOf(error) ?? unreachable(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The sentence about what the server refuses to this user, `undefined` for any other error. */
export function refusalOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '28P01' || code === '28000') {
    return `The database refuses the user or password of DATABASE_URL (${message}); correct them.`;
  }
  if (code === '3D000') return `The database named in DATABASE_URL does not exist (${message}); create it first.`;
  if (code === '42501') return `The user of DATABASE_URL lacks a right (${message}); grant it.`;
  return undefined;
}

function unreachable(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return `The database at DATABASE_URL cannot be reached (${message || code}); start it, or correct DATABASE_URL.`;
}

async function settingsFault(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{
    version: string;
    number: number;
    encoding: string;
    replica: boolean;
    schema: string | null;
    may_create: boolean;
    migrated: boolean;
  }>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
      pg_is_in_recovery() as replica, current_schema as schema,
      coalesce(has_schema_privilege(current_schema, 'create'), false) as may_create,
      to_regclass('schema_migrations') is not null as migrated`);
  const [server] = rows;
  if (!server) return 'The database gave no answer about itself.';
  if (server.number < versionMin * 10_000) {
    return `The database is PostgreSQL ${server.version}; Shiplog needs ${versionMin} or newer. Upgrade it, or use another server.`;
  }
  if (server.encoding !== 'UTF8') {
    return `The database has the encoding ${server.encoding}; Shiplog needs UTF8. Create one with: create database shiplog encoding 'UTF8' template template0;`;
  }
  if (server.replica) {
    return 'DATABASE_URL names a read-only replica; Shiplog needs the primary for posts and streams.';
  }
  if (!server.migrated && !server.may_create) {
    return `The user of DATABASE_URL may not create tables in the schema ${server.schema ?? '(none)'}; grant it with: grant create on schema public to <user>;`;
  }
  return undefined;
}

/** LISTEN works when a notice that another connection sends arrives here. */
async function noticeFault(client: pg.Client, connection: Connection): Promise<string | undefined> {
  const token = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), noticeTimeoutMs);
    client.on('notification', (notice) => {
      if (notice.payload !== token) return;
      clearTimeout(timer);
      resolve(true);
    });
  });
  await client.query('listen shiplog_probe');
  const sender = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs, query_timeout: 10_000 });
  sender.on('error', () => undefined);
  await sender.connect();
  await sender.query('select pg_notify($1, $2)', ['shiplog_probe', token]);
  await sender.end().catch(() => undefined);
  if (await heard) return undefined;
  return 'DATABASE_URL leads through a pooler in transaction mode, which does not deliver notices; name the server itself, or a pooler in session mode.';
}
