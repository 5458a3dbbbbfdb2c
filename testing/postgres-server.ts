import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { onTestFinished } from 'vitest';

/** A separate database server for a test. It doesn't flush to disk and is stopped when the test ends. */
export async function testPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres & { readonly url: string }> {
  const server = await startEmbeddedPostgres({ ...options, settings: { fsync: 'off', ...options.settings } });
  onTestFinished(() => server.stop());
  return { ...server, url: urlOf(server) };
}

/** The URL of a server's Unix socket, for the default database or another one. */
export function urlOf({ connection }: EmbeddedPostgres, database = connection.database): string {
  const { host, port, user } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
