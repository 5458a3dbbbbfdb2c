import { anEvent, cancelWaitingFor, isWaitedFor, openTransaction, runSql, testDatabase, until } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { FoldsBehind } from '../src/db/errors.ts';
import { LogReads } from '../src/db/log-reads.ts';
import { Servers } from '../src/db/servers.ts';
import { Standbys } from '../src/db/standbys.ts';
import { Folding, foldingTimes } from '../src/folding.ts';
import { ServiceMetrics } from '../src/metrics.ts';

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

test('an answer from folds that are being built is refused with the progress', async () => {
  const { url } = await testDatabase();
  const parts = { metrics: new ServiceMetrics(), logger: pino({ level: 'silent' }) };
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const times = { standbyProbeMs: 0, standbyCooldownMs: 0 };
  const reads = new LogReads({
    database,
    standbys: new Standbys({ servers: [], primary: database.reads, times, ...parts }),
    folding: { step: async () => undefined, stepAnd: async () => undefined },
    ...parts,
  });
  const refused = () =>
    reads
      .folded(async () => undefined)
      .then(
        () => undefined,
        (error) => (error instanceof FoldsBehind ? { progress: error.progress } : error),
      );
  await appendAll(
    url,
    Array.from({ length: 10_000 }, () => anEvent()),
  );
  expect(await refused()).toEqual({ progress: undefined });
  await appendAll(url, [anEvent()]);
  expect(await refused()).toEqual({ progress: { events: 0, total: 10_001 } });
});

test('a reader is refused after its time limit, however long another instance holds the folds', async () => {
  const { url } = await testDatabase();
  const parts = { metrics: new ServiceMetrics(), logger: pino({ level: 'silent' }) };
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const folding = new Folding({ connections: database.folds, times: foldingTimes, ...parts });
  const times = { standbyProbeMs: 0, standbyCooldownMs: 0 };
  const standbys = new Standbys({ servers: [], primary: database.reads, times, ...parts });
  const reads = new LogReads({ database, standbys, folding, ...parts });
  await appendAll(url, [anEvent()]);
  const holder = await openTransaction(url, 'lock table folds in exclusive mode');
  await expect(reads.folded(async () => undefined)).rejects.toBeInstanceOf(FoldsBehind);
  await expect(reads.folded(async () => undefined, { isExact: true })).rejects.toBeInstanceOf(FoldsBehind);
  await holder.query('commit');
  expect((await reads.folded(async () => 'read')).result).toBe('read');
});

test('a stop ends the running step and the calls that wait for it', async () => {
  const { url } = await testDatabase();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const parts = { metrics: new ServiceMetrics(), logger: pino({ level: 'silent' }) };
  const folding = new Folding({ connections: database.folds, times: foldingTimes, ...parts });
  await appendAll(url, [anEvent()]);
  const holder = await openTransaction(url, 'lock table folds in exclusive mode');
  const reasons = Promise.all([folding.step(), folding.step()].map((step) => step.catch(String)));
  await until(() => isWaitedFor(url, holder));
  await folding.stop();
  expect(await reasons).toEqual(['Error: the service stops', 'Error: the service stops']);
});

test('a step that takes too long is taken again with fewer events', async () => {
  const { url } = await testDatabase();
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  const times = { ...foldingTimes, foldReportMs: 600_000 };
  const folding = new Folding({ connections: database.folds, times, metrics: new ServiceMetrics(), logger });
  await appendAll(url, [anEvent(), anEvent()]);
  const holder = await openTransaction(url, 'lock table changes in exclusive mode');
  const refused = expect(folding.step()).rejects.toThrow('canceling statement');
  await until(async () => (await cancelWaitingFor(url, holder)) === 1);
  await refused;
  await holder.query('commit');
  await folding.step();
  expect(lines).toEqual(['a step of the folds took too long; adding at most 2500 events at once']);
  expect(await runSql(url, 'select count(*)::int as changes from changes')).toEqual([{ changes: 2 }]);
});
