import { anEvent, testDatabase } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';
import { Database, oneRow } from '../src/db/database.ts';
import { foldStep } from '../src/db/folds/step.ts';
import { Servers } from '../src/db/servers.ts';

test('steps read each event a few times, even in a new log and in a place with many events of one second', async () => {
  const { url } = await testDatabase();
  const [events, stepEvents] = [2000, 200];
  const happened_at = new Date().toISOString();
  const statuses = ['in-progress', 'success', 'failure'] as const;
  await appendAll(
    url,
    Array.from({ length: events }, (_, n) => {
      const deployment_id = `run-${Math.floor(n / 2)}`;
      return anEvent({
        deployment_id,
        service: 'api',
        environment: 'prod',
        status: statuses[n % 3] ?? 'success',
        happened_at,
      });
    }),
  );
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  // Counted by the session.
  let read = 0;
  for (let isFull: boolean | undefined = true; isFull; ) {
    const step = await database.folds.session((session) =>
      foldStep(session, {
        wait: true,
        rowsMax: stepEvents,
        also: async (queries) => {
          const counted = await oneRow<{ read: number }>(queries, {
            text: `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'deployments'`,
          });
          read = counted.read;
        },
      }),
    );
    isFull = step?.isFull;
  }
  expect(read / events).toBeGreaterThan(1);
  expect(read / events).toBeLessThan(60);
});
