import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeploymentEventIngest, storedEvent } from '@shiplog/contract';
import { runSql, testDatabase } from '@shiplog/testing';

export const root = join(import.meta.dirname, '../../..');
const migrations = join(root, 'apps/service/migrations');

/** A database of a released version: its migrations, which are never edited. */
export async function earlierDatabase(applied: readonly string[]): Promise<string> {
  const { url } = await testDatabase();
  await runSql(url, 'drop schema public cascade; create schema public');
  await runSql(
    url,
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  for (const name of applied) {
    const text = readFileSync(join(migrations, name), 'utf8');
    await runSql(url, text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await runSql(url, 'insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  return url;
}

/** The migrations up to one. */
export function migrationsUpTo(last: string): string[] {
  return readdirSync(migrations)
    .filter((name) => name.slice(0, last.length) <= last)
    .sort();
}

/**
 * The insert statement of version 0.1.0. Instances of that version use it even after the database has been migrated.
 */
const earlierAppend = readFileSync(join(import.meta.dirname, 'append-0.1.0.sql'), 'utf8');

export async function postEarlier(databaseUrl: string, ...events: readonly DeploymentEventIngest[]): Promise<void> {
  const rows = events.map((event, n) => {
    const { deploymentId, happenedAt, jsonRest, service, environment, status, parents } = storedEvent(
      event,
      'earlier/x',
    );
    return {
      n,
      deployment_id: deploymentId,
      happened_at: happenedAt,
      rest: jsonRest,
      service,
      environment,
      status,
      actor: event.actor || undefined,
      parents,
    };
  });
  await runSql(databaseUrl, earlierAppend, [JSON.stringify(rows), rows.length]);
}
