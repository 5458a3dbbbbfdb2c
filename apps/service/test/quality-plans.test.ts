import { testDatabase } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { readReporters } from '../src/db/quality/emitters.ts';

test('who posts is told by the index, where a log is too large to be read whole', async () => {
  const { url } = await testDatabase();
  const database = new Database({ connectionString: url }, () => undefined);
  onTestFinished(() => database.stop());
  const plans: string[] = [];
  await database.analytics.session(async (session) => {
    await session.query({ text: 'set enable_seqscan = off' });
    const query = async <Row extends object>({ text }: { text: string }, values?: readonly unknown[]) => {
      plans.push(JSON.stringify(await session.query({ text: `explain ${text}` }, values)));
      return session.query<Row>({ text }, values);
    };
    await readReporters({ query });
  });
  expect(plans.join()).toContain('deployments_by_reporter');
});
