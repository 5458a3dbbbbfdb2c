import { nilId } from '@shiplog/contract';
import { anEvent, clientOf, minute, runSql, StreamReader, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { expectDerived } from './support/derived.ts';
import { post } from './support/posting.ts';
import { LogLines, openControl, putCursor, sendAck, startReset, untilFrame } from './support/reset.ts';

/** Resets, prunes and purges as often as possible. */
const times = { pollMs: 50, resetPollMs: 50, firstMs: 0, pruneEveryMs: 1, purgeEveryMs: 1 };
const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
const resets = 12;

/** The status of a response, and the kind of problem if it is one. */
type Call = (url: string, n: number) => Promise<string>;

async function outcome(call: Promise<{ status: number }>): Promise<string> {
  try {
    return String((await call).status);
  } catch (error) {
    const { status, problem } = error as { status?: number; problem?: { type?: string } };
    return `${status ?? error} ${problem?.type ?? ''}`;
  }
}

const calls: Readonly<Record<string, Call>> = {
  'an event': async (url, n) => {
    // One in three events is beyond the retention.
    const happened_at = n % 3 === 0 ? '2020-01-01T00:00:00Z' : minute(n % 7);
    const { status, problem } = await post(url, anEvent({ service: `service-${n % 4}`, happened_at }));
    return problem === undefined ? String(status) : `${status} ${problem}`;
  },
  'a report': (url) => outcome(sendAck(url, { component: 'one', correlationId: nilId }).then(() => ({ status: 204 }))),
  'a cursor': (url) => outcome(putCursor(url).then(() => ({ status: 204 }))),
  'the matrix': (url) => outcome(clientOf(url).getMatrix()),
  'a listing': (url, n) => outcome(clientOf(url).listDeployments({ query: { service: `service-${n % 4}`, limit: 5 } })),
  'the reports': (url) => outcome(clientOf(url).listComponentEvents()),
  'a replay': async (url) => {
    const stream = await StreamReader.connect({
      url: `${url}/api/events/stream`,
      headers: { 'last-event-id': nilId },
    });
    stream.close();
    return String(stream.status);
  },
};

test('concurrent posts, reports, reads, resets, pruning and purging never deadlock', async () => {
  const database = await testDatabase();
  const log = new LogLines();
  const start = () =>
    testService({ databaseUrl: database.url, config: { reset, historyRetentionDays: 365 }, times, log });
  const services = await Promise.all([start(), start()]);
  const urls = services.map(({ url }) => url);
  const control = await openControl(urls[0] ?? '');
  const outcomes = new Set<string>();
  let over = false;
  const caller = async ([name, call]: [string, Call], number: number) => {
    for (let n = number; !over; n++) outcomes.add(`${name}: ${await call(urls[n % urls.length] ?? '', n)}`);
  };
  const callers = Object.entries(calls).flatMap((entry) => [caller(entry, 0), caller(entry, 1), caller(entry, 2)]);
  for (let n = 1; n <= resets; n++) {
    await startReset(urls[n % urls.length] ?? '');
    await untilFrame(control, 'reset-completed', n);
  }
  over = true;
  await Promise.all(callers);
  await Promise.all(services.map((service) => service.stop()));
  // PostgreSQL counts the deadlocks that it resolves by aborting a statement.
  const [counted] = await runSql<{ deadlocks: number }>(
    database.url,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect({ deadlocks: counted?.deadlocks, logged: log.count('deadlock detected') }).toEqual({
    deadlocks: 0,
    logged: 0,
  });
  expect([...outcomes].filter((said) => said !== 'an event: 503 /problems/reset-in-progress').toSorted()).toEqual([
    ...['a cursor: 204', 'a listing: 200', 'a replay: 200', 'a report: 204', 'an event: 201'],
    ...['the matrix: 200', 'the reports: 200'],
  ]);
  await expectDerived(database.url);
});
