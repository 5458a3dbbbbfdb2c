import { nilId, storedEvent } from '@shiplog/contract';
import {
  anEvent,
  fileService,
  isWaitedFor,
  openTransaction,
  postStored,
  runSql,
  StreamReader,
  testService,
  until,
} from '@shiplog/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { appendDeployments } from '../src/db/append-deployments.ts';
import type { Queries } from '../src/db/database.ts';
import { leverDatabase } from './support/levers.ts';

const log = fileService();

/** A part of an append inside an open transaction. */
type Step = (transaction: pg.Client) => Promise<void>;

/** An append that stays open after its first step, so that other work can run in between. */
interface HeldAppend {
  readonly begin: Step;
  readonly finish: Step;
}

const nothing: Step = async () => undefined;

/** The service's append, in a transaction that stays open. No other event has the same slot. */
const productAppend: HeldAppend = {
  begin: async (transaction) => {
    const queries: Queries = {
      query: async ({ text, values = [] }) => (await transaction.query(text, [...values])).rows,
    };
    await appendDeployments(queries, [storedEvent(anEvent({ service: 'held' }), undefined)]);
  },
  finish: nothing,
};

/** A control case: ids from a column default or from outside the database. */
const idBeforeTheLock: HeldAppend = {
  begin: async (transaction) => {
    await transaction.query('create temporary table made on commit drop as select log_id(log_tick(clock_timestamp()))');
  },
  finish: async (transaction) => {
    await transaction.query(`
      with head as (
        update log_heads set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) where log = 'deployments'
        returning log
      )
      insert into deployments select made.log_id, 'd', 's', 'e', 'success', now(), '{}' from made cross join head`);
  },
};

/** A control case: ids assigned under the lock, but from the clock only. */
const idFromTheClockAlone: HeldAppend = {
  begin: async (transaction) => {
    await transaction.query(`
      with head as (
        update log_heads set last_tick = last_tick + 1 where log = 'deployments'
        returning log_id(log_tick(clock_timestamp())) as id
      )
      insert into deployments select id, 'd', 's', 'e', 'success', now(), '{}' from head`);
  },
  finish: nothing,
};

/** The simplest possible reader. It reads the rows after the last id that it has received. */
class ResumingReader {
  readonly ids: string[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async readOn(): Promise<void> {
    const after = this.ids.at(-1) ?? nilId;
    const rows = await runSql<{ id: string }>(this.#url, 'select id from deployments where id > $1 order by id', [
      after,
    ]);
    this.ids.push(...rows.map((row) => row.id));
  }
}

/**
 * Keeps one append open while the service appends another event and a reader reads. Returns the ids that the reader has
 * missed at the end. Empty if ids are in commit order.
 */
async function missedInRace(databaseUrl: string, serviceUrl: string, held: HeldAppend): Promise<string[]> {
  const transaction = await openTransaction(databaseUrl);
  const reader = new ResumingReader(databaseUrl);
  await held.begin(transaction);
  const posted = postStored(serviceUrl, anEvent());
  await untilHeldUp(posted, databaseUrl, transaction);
  await reader.readOn();
  await held.finish(transaction);
  await transaction.query('commit');
  await posted;
  await reader.readOn();
  const stored = await runSql<{ id: string }>(databaseUrl, 'select id from deployments order by id');
  return stored.map((row) => row.id).filter((id) => !reader.ids.includes(id));
}

/** Resolves when the post waits for the transaction or has its response. */
async function untilHeldUp(posted: Promise<unknown>, url: string, transaction: pg.Client): Promise<void> {
  let answered = false;
  void posted.then(() => {
    answered = true;
  });
  await until(async () => answered || (await isWaitedFor(url, transaction)));
}

test('an append waits for an open append, and follows it on the stream', async () => {
  const stream = await StreamReader.open({ url: `${log.url}/api/events/stream` });
  expect(await missedInRace(log.databaseUrl, log.url, productAppend)).toEqual([]);
  const stored = await runSql<{ id: string }>(log.databaseUrl, 'select id from deployments order by id');
  await stream.take(2);
  expect(stream.ids).toEqual(stored.map((row) => row.id));
});

test('an append that started first but got the lock second has the greater id', async () => {
  await postStored(log.url, anEvent({ service: 'slow' }));
  const reader = new ResumingReader(log.databaseUrl);
  // An append that updates this row must wait, and it holds the lock of the log meanwhile.
  const row = `select from latest_deployments where service = 'slow' for update`;
  const obstacle = await openTransaction(log.databaseUrl, row);
  const holder = await openTransaction(log.databaseUrl, `select from log_heads where log = 'deployments' for update`);
  const posted = postStored(log.url, anEvent({ service: 'slow' }));
  await untilHeldUp(posted, log.databaseUrl, holder);
  await productAppend.begin(holder);
  await holder.query('commit');
  await untilHeldUp(posted, log.databaseUrl, obstacle);
  await reader.readOn();
  await obstacle.query('commit');
  const { id } = await posted;
  await reader.readOn();
  expect(reader.ids).toHaveLength(3);
  expect(reader.ids.at(-1)).toBe(id);
});

test('concurrent appends after the clock stepped back keep their order', async () => {
  const database = await leverDatabase();
  const service = await testService({ databaseUrl: database.url });
  await postStored(service.url, anEvent());
  await database.offsetClock(-1);
  expect(await missedInRace(database.url, service.url, productAppend)).toEqual([]);
});

test('the race test detects ids that are assigned before the lock', async () => {
  expect(await missedInRace(log.databaseUrl, log.url, idBeforeTheLock)).toHaveLength(1);
});

test('the race test detects ids that are assigned from the clock only', async () => {
  const database = await leverDatabase();
  const service = await testService({ databaseUrl: database.url });
  await database.offsetClock(1);
  await postStored(service.url, anEvent());
  await database.offsetClock(0);
  expect(await missedInRace(database.url, service.url, idFromTheClockAlone)).toHaveLength(1);
});
