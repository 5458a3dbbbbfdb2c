import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connection, settledWithin, withClient } from './connection.ts';
import { connectionsMax } from './database.ts';
import { DatabaseUnavailable, databaseError } from './errors.ts';
import { markedTimeline } from './superseded.ts';

const versionMin = 14;
const answerMs = 10_000;
const noticeTimeoutMs = 3000;

/** Returns a message about a problem with the server, or `undefined`. */
export async function serverProblem(connection: Connection, signal?: AbortSignal): Promise<string | undefined> {
  const fault = urlFault(connection, 'DATABASE_URL');
  if (fault) return fault;
  const limits = { answerMs, signal };
  try {
    return await withClient(connection, limits, async (client) => {
      const fault = await settingsFault(client);
      return fault ?? withClient(connection, limits, (sender) => noticeFault(client, sender));
    });
  } catch (error) {
    signal?.throwIfAborted();
    return databaseProblemText(error) ?? unreachable(error);
  }
}

/** Why the driver rejects a URL, for example because of an unreadable certificate file. */
export function urlFault(connection: Connection, variable: string): string | undefined {
  try {
    new pg.Client(connection);
    return undefined;
  } catch (error) {
    return `${variable} is invalid (${(error as Error).message}). Correct it.`;
  }
}

/** Returns a message about a database error at the start, or `undefined` for a bug. */
export function databaseProblemText(error: unknown): string | undefined {
  const cause = error instanceof DatabaseUnavailable && error.cause ? error.cause : error;
  return refusalOf(cause) ?? (databaseError(cause) instanceof DatabaseUnavailable ? unreachable(cause) : undefined);
}

function refusalOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (message.includes('pg_hba.conf')) {
    return /no encryption|SSL off/.test(message) && !message.includes('[local]')
      ? `The database server doesn't accept unencrypted connections from here (${message}). Add sslmode=verify-full to DATABASE_URL, or an entry to its pg_hba.conf.`
      : `The database server's pg_hba.conf has no entry for this user from here (${message}). Add one, or correct DATABASE_URL.`;
  }
  if (code === '28P01' || code === '28000') {
    return `The database rejected the user or password in DATABASE_URL (${message}). Correct them.`;
  }
  if (code === '3D000') return `The database named in DATABASE_URL does not exist (${message}). Create it first.`;
  if (code === '42501') return `The user of DATABASE_URL is missing a permission (${message}). Grant it.`;
  if (code === '53300') {
    return `The database server has no connections left (${message}), and an instance needs ${connectionsMax}. Raise max_connections, or the connection limit of the user or the database.`;
  }
  if (/CERT|^UNABLE_TO_/.test(code)) {
    return `The database server's certificate can't be trusted (${message}). Name the certificate authority with sslrootcert=/path/to/ca.pem in DATABASE_URL, or encrypt without verification with sslmode=no-verify.`;
  }
  if (message.includes('does not support SSL')) {
    return "The database server doesn't support TLS, but sslmode in DATABASE_URL requires it. Enable TLS on the server, or remove sslmode.";
  }
  return undefined;
}

function unreachable(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return `Can't reach the database at DATABASE_URL (${message || code}). Start it, or correct DATABASE_URL.`;
}

async function settingsFault(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{
    version: string;
    number: number;
    encoding: string;
    replica: boolean;
    successor: number | null;
    schema: string | null;
    may_create: boolean;
    migrated: boolean;
  }>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
      pg_is_in_recovery() as replica, ${markedTimeline} as successor, current_schema as schema,
      coalesce(has_schema_privilege(current_schema, 'create'), false) as may_create,
      to_regclass('schema_migrations') is not null as migrated`);
  const [server] = rows;
  if (!server) return 'The database returned no information about itself.';
  if (server.number < versionMin * 10_000) {
    return `The database is PostgreSQL ${server.version}, but Shiplog needs ${versionMin} or newer. Upgrade it, or use another server.`;
  }
  if (server.encoding !== 'UTF8') {
    return `The database has the encoding ${server.encoding}, but Shiplog needs UTF8. Create a database with: create database shiplog encoding 'UTF8' template template0;`;
  }
  if (server.replica) {
    return 'DATABASE_URL points to a read-only replica, but Shiplog needs the primary for posts and streams. Name the primary.';
  }
  if (server.successor !== null) {
    return `The server of DATABASE_URL was replaced as the primary: a running instance has seen a primary on timeline ${server.successor}. Start that primary, and stop this server or make it a standby.`;
  }
  if (!server.migrated && !server.may_create) {
    return `The user of DATABASE_URL isn't allowed to create tables in the schema ${server.schema ?? '(none)'}. Grant it with: grant create on schema public to <user>;`;
  }
  return undefined;
}

/** Checks for a transaction pooler, which would not deliver notifications from another connection. */
async function noticeFault(client: pg.Client, sender: pg.Client): Promise<string | undefined> {
  const token = randomUUID();
  let isHeard = false;
  const heard = new Promise<void>((resolve) => {
    client.on('notification', ({ payload }) => {
      if (payload !== token) return;
      isHeard = true;
      resolve();
    });
  });
  await client.query('listen shiplog_probe');
  await sender.query('select pg_notify($1, $2)', ['shiplog_probe', token]);
  // Start the timeout here, so that a slow server isn't mistaken for a pooler.
  await settledWithin(noticeTimeoutMs, heard);
  if (isHeard) return undefined;
  return 'DATABASE_URL connects through a pooler in transaction mode, which does not deliver notifications. Name the server itself, or a pooler in session mode.';
}
