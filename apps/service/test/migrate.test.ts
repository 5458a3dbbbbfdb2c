import { randomUUID } from 'node:crypto';
import { runSql } from '@shiplog/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '../src/db/migrate.ts';

test('instances that start at the same time on an empty database migrate it once', async () => {
  const name = `shiplog_migrate_${randomUUID().replaceAll('-', '')}`;
  await runSql(inject('serverUrl'), `create database ${name} encoding 'UTF8' template template0`);
  onTestFinished(async () => {
    await runSql(inject('serverUrl'), `drop database ${name} with (force)`);
  });
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate({ connectionString: url.href })));
  const recorded = await runSql<{ name: string }>(url.href, 'select name from schema_migrations order by name');
  expect(recorded.length).toBeGreaterThan(0);
  expect(applied.filter((names) => names.length > 0)).toEqual([recorded.map((row) => row.name)]);
});
