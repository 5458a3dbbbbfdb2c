import { statuses } from '@shiplog/contract';
import { anEvent, runSql, testDatabase, until } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';
import { Database, type Statement } from '../src/db/database.ts';
import { type DeploymentFilter, listDeployments } from '../src/db/deployments.ts';
import { Servers } from '../src/db/servers.ts';

const rows = 8000;
const moment = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const one = { service: 'service-7', environment: 'env-7', status: 'failure' };
const places: readonly DeploymentFilter[] = [
  {},
  { service: one.service },
  { environment: one.environment },
  { status: one.status },
  { service: one.service, environment: one.environment },
  { service: one.service, status: one.status },
  { environment: one.environment, status: one.status },
  one,
  { deploymentId: 'run-7' },
];
const spans = [{}, { since: moment(rows / 4), until: moment(rows / 2) }];
const filters = places.flatMap((place) => spans.map((span) => ({ ...place, ...span })));
const keys = [undefined, { happenedAt: moment(rows / 2), id: '00000000-0000-7000-8000-000000000000' }];

test('a page with any filter anywhere in the log is read in index order, and the scan stops at the page size', async () => {
  const { url } = await testDatabase();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  await appendAll(
    url,
    Array.from({ length: rows }, (_, n) => ({
      ...anEvent({ deployment_id: `run-${n}`, service: `service-${n % 20}`, environment: `env-${n % 97}` }),
      status: statuses[n % statuses.length] ?? 'success',
      happened_at: moment(n),
    })),
  );
  await until(() => isVacuumed(url));
  let plan = '';
  const query = async ({ text, values = [] }: Statement) => {
    const lines = await database.reads.query<Record<string, string>>({ text: `explain (costs off) ${text}`, values });
    plan = lines.flatMap((line) => Object.values(line)).join('\n');
    return [];
  };
  for (const filter of filters) {
    for (const after of keys) {
      await listDeployments({ query }, filter, { after, size: 100 });
      expect(plan, JSON.stringify(filter)).not.toMatch(/Seq Scan|Bitmap|Hash|Incremental|Memoize|Join Filter/);
    }
  }
});

/**
 * The planner prefers an index-only scan if the pages of a table are known to be visible to all. A vacuum leaves out
 * pages that a snapshot from before them still needs, for example the snapshot of an automatic analyze.
 */
async function isVacuumed(url: string): Promise<boolean> {
  await runSql(url, 'vacuum analyze deployments, latest_deployments');
  const left = `select from pg_class where relname in ('deployments', 'latest_deployments') and relallvisible < relpages`;
  return (await runSql(url, left)).length === 0;
}
