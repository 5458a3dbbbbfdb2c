import { anEvent, runSql, testDatabase } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { touches } from '../src/db/analytics/touched.ts';
import { findAnswer } from '../src/db/cached-answers.ts';
import { Database, type Statement } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { appendAll } from './support/bulk-append.ts';

test('the check of a cached result reads neither the whole log nor a whole slot', async () => {
  const { url } = await testDatabase();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  await appendAll(
    url,
    Array.from({ length: 3000 }, (_, n) => anEvent({ deployment_id: `run-${n}`, service: `service-${n % 10}` })),
  );
  await runSql(url, 'analyze deployments');
  const plans: string[] = [];
  const query = async <Row extends object>({ text, values = [] }: Statement) => {
    const lines = await database.reads.query<Record<string, string>>({ text: `explain ${text}`, values });
    plans.push(lines.flatMap((line) => Object.values(line)).join('\n'));
    return database.reads.query<Row>({ text, values });
  };
  for (const dependence of Object.keys(touches) as (keyof typeof touches)[]) {
    await findAnswer({ query }, { digest: '', text: '', dependence, scope: undefined }, [], true);
  }
  expect(plans).toHaveLength(Object.keys(touches).length);
  for (const plan of plans) {
    expect(plan).not.toMatch(/hashed|Hash|Seq Scan on deployments/);
    expect(plan).not.toMatch(/Join Filter: \(ROW/);
  }
});
