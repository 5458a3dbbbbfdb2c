import { testDatabase } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Database, type Queries } from '../src/db/database.ts';
import { readReporters } from '../src/db/quality/emitters.ts';
import { countAhead, countLate } from '../src/db/quality/misdated.ts';

type Ask = (queries: Queries) => Promise<unknown>;

const scope = { services: ['pay-*'], environments: undefined };

test.each<[index: string, ask: Ask]>([
  ['deployments_ahead', (queries) => countAhead(queries, undefined)],
  ['deployments_ahead', (queries) => countAhead(queries, scope)],
  ['deployments_late', (queries) => countLate(queries, undefined, ['a/x', null])],
  ['deployments_late', (queries) => countLate(queries, scope, ['a/x'])],
  ['deployments_by_reporter', readReporters],
])('%s answers, where a log is too large to be read whole', async (index, ask) => {
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
    await ask({ query });
  });
  expect(plans.join()).toContain(index);
});
