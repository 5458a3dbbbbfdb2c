import { anEvent, testDatabase } from '@shiplog/testing';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { LogReads } from '../src/db/log-reads.ts';
import { Servers } from '../src/db/servers.ts';
import { Standbys } from '../src/db/standbys.ts';
import { Folding, foldingTimes } from '../src/folding.ts';
import { ServiceMetrics } from '../src/metrics.ts';
import { appendAll } from './support/bulk-append.ts';

test('an exact answer does not wait until no events arrive', async () => {
  const { url } = await testDatabase();
  const parts = { metrics: new ServiceMetrics(), logger: pino({ level: 'silent' }) };
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const folding = new Folding({ connections: database.folds, times: foldingTimes, ...parts });
  const times = { standbyProbeMs: 0, standbyCooldownMs: 0 };
  let posted = 0;
  const post = async () => {
    posted += 1;
    await appendAll(url, [anEvent({ service: 'api', version: `1.0.${posted}` })]);
  };
  const reads = new LogReads({
    database,
    standbys: new Standbys({ servers: [], primary: database.reads, times, ...parts }),
    // After each step there is another event.
    folding: {
      step: () => folding.step().then(post),
      stepAnd: (work) => folding.stepAnd(work).then(post),
    },
    ...parts,
  });
  await post();
  const { result } = await reads.folded(
    async (queries, { hasLater, lastId }) => {
      const [latest] = await queries.query<{ id: string; folded: number }>({
        text: `select (select id from deployments order by id desc limit 1), (select count(*)::int from changes) as folded`,
      });
      return { hasLater, isLatest: latest?.id === lastId, folded: latest?.folded };
    },
    { isExact: true },
  );
  expect(result).toEqual({ hasLater: false, isLatest: true, folded: posted - 1 });
});
