import { testDatabase } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Database, type Queries, type Statement } from '../src/db/database.ts';
import { readReporters } from '../src/db/quality/reporters.ts';
import { Servers } from '../src/db/servers.ts';

/** The query plans of a request's statements, as trimmed lines, on a log that is too large for full scans. */
async function plansOf(ask: (queries: Queries) => Promise<unknown>): Promise<string[]> {
  const { url } = await testDatabase();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const lines: string[] = [];
  await database.analytics.session(async (session) => {
    await session.query({ text: 'set enable_seqscan = off' });
    const query = async <Row extends object>({ text, values = [] }: Statement) => {
      const plan = await session.query<{ 'QUERY PLAN': string }>({ text: `explain (costs off) ${text}`, values });
      lines.push(...plan.map((line) => line['QUERY PLAN'].trim()));
      return session.query<Row>({ text, values });
    };
    await ask({ query });
  });
  return lines;
}

test('reporters are found by an index', async () => {
  const plan = await plansOf(readReporters);
  expect(plan.join('\n')).toContain('deployments_by_reporter');
});
