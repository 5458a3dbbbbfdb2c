import { createClient } from '@shiplog/client';
import { runSql, testDatabase } from '@shiplog/testing/database';
import { testKeys, testService } from '@shiplog/testing/service';
import { expect, test } from 'vitest';
import { fill } from './harness/fill.ts';

const filling = { rows: 240, days: 2, services: 7, environments: 4 };

/** The content of a database without ids and ticks, because the service generates these. */
async function contents(url: string): Promise<Record<string, unknown[]>> {
  const tables = {
    deployments: `select deployment_id, service, environment, status, happened_at, parents, release, reporter,
      event::jsonb - 'id' as event, event::json ->> 'id' = id::text as own_id from deployments order by id`,
    latest_deployments: `select latest.service, latest.environment, latest.status, latest.happened_at, deployment_id
      from latest_deployments latest join deployments using (id) order by 1, 2, 3`,
    indexes: `select indexdef from pg_indexes where schemaname = 'public' order by 1`,
  };
  const entries = Object.entries(tables).map(async ([name, text]) => [name, await runSql<object>(url, text)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

test.each([false, true])(
  'a filled log equals the log that the service stores for the same events (compact: %s)',
  async (compact) => {
    const filled = await testDatabase();
    await fill({ databaseUrl: filled.url }, { ...filling, compact });
    const rows = await runSql<{ event: string }>(filled.url, 'select event from deployments order by id');
    expect(rows).toHaveLength(filling.rows);

    const posted = await testDatabase();
    const service = await testService({ databaseUrl: posted.url });
    const client = createClient({ baseUrl: service.url, keys: testKeys });
    for (const { event } of rows) {
      const { id: _id, ...body } = JSON.parse(event);
      await client.appendDeployment({ body });
    }
    expect(await contents(filled.url)).toEqual(await contents(posted.url));
  },
);

test('ids increase in the order of the log', async () => {
  const { url } = await testDatabase();
  await fill({ databaseUrl: url }, filling);
  const [row] = await runSql<object>(
    url,
    `select count(*) filter (where arrival_lag(id, happened_at) not between 249000 and 251000)::int as misdated,
      count(*) filter (where id <= before)::int as unordered, count(distinct id)::int as ids
     from (select id, happened_at, lag(id) over (order by happened_at) as before from deployments) ordered`,
  );
  expect(row).toEqual({ misdated: 0, unordered: 0, ids: filling.rows });
});
