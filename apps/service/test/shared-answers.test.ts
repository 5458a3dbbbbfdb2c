import { anEvent, countWaiting, runSql, testDatabase, testService, until } from '@shiplog/testing';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CachedAnswers, type Question } from '../src/answers/cached-answers.ts';
import { Database } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { appendAll } from './support/bulk-append.ts';
import { keptAnswers, tampered } from './support/kept.ts';
import { requestReset } from './support/reset.ts';

interface Instance {
  readonly answers: CachedAnswers;
  readonly database: Database;
}

/** The result cache of an instance, without HTTP. */
function instance(url: string, waitMs = 60_000): Instance {
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  const { reads: queries, analytics, questions } = database;
  const reads = { hasStandbys: false, onStandby: async () => undefined };
  const answers = new CachedAnswers({
    ...{ queries, analytics, questions, reads },
    ...{ settings: [], waitMs, logger: pino({ level: 'silent' }) },
  });
  onTestFinished(async () => {
    await answers.stop();
    await database.stop();
  });
  return { answers, database };
}

/** A query for the number of rows. Each computation takes its snapshot, and then waits until the test releases it. */
class HeldQuestion implements Question {
  readonly text = '["rows",{}]';
  readonly dependence = 'counts';
  readonly scope = undefined;
  readonly isStandard = true;
  computations = 0;
  readonly #going: (() => void)[] = [];

  resolve() {
    return {
      text: 'all',
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      compute: async (queries: { query<Row extends object>(statement: { text: string }): Promise<Row[]> }) => {
        this.computations += 1;
        await new Promise<void>((resolve) => this.#going.push(resolve));
        const rows = await queries.query({ text: 'select from deployments' });
        return { json: String(rows.length) };
      },
    };
  }

  /** Resolves when this many computations have begun. */
  begun(count: number): Promise<void> {
    return until(async () => this.computations >= count);
  }

  letGo(): void {
    for (const go of this.#going.splice(0)) go();
  }
}

const ask = async ({ answers }: Instance, question: Question) => (await answers.answer(question, undefined)).json;
const oneRow = () => [anEvent({ happened_at: '2026-03-01T00:00:00Z' })];

test('an event that is stored between the snapshot and the caching of a result makes the result outdated', async () => {
  const { url } = await testDatabase();
  const [one, other] = [instance(url), instance(url)];
  const question = new HeldQuestion();
  const first = ask(one, question);
  await question.begun(1);
  await appendAll(url, oneRow());
  question.letGo();
  expect(await first).toBe('0');
  await until(async () => (await keptAnswers(url)).length === 1);
  const second = ask(other, question);
  await question.begun(2);
  question.letGo();
  expect(await second).toBe('1');
});

test('one instance computes a result, and the others wait for it and use it', async () => {
  const { url } = await testDatabase();
  const [one, other] = [instance(url), instance(url)];
  const question = new HeldQuestion();
  const first = ask(one, question);
  await question.begun(1);
  const others = [ask(other, question), ask(other, question), ask(one, question), ask(one, question)];
  await until(async () => (await countWaiting(url)) === 1);
  question.letGo();
  expect(await Promise.all([first, ...others])).toEqual(['0', '0', '0', '0', '0']);
  expect(question.computations).toBe(1);
});

test('a request during a computation does not get a result from an earlier state', async () => {
  const { url } = await testDatabase();
  const one = instance(url);
  const question = new HeldQuestion();
  const early = ask(one, question);
  await question.begun(1);
  await appendAll(url, oneRow());
  const late = [ask(one, question), ask(one, question)];
  question.letGo();
  expect(await early).toBe('0');
  await question.begun(2);
  question.letGo();
  expect(await Promise.all(late)).toEqual(['1', '1']);
  expect(question.computations).toBe(2);
});

test('a waiting instance computes the result if the computing instance dies', async () => {
  const { url } = await testDatabase();
  const [one, other] = [instance(url), instance(url)];
  const question = new HeldQuestion();
  const first = ask(one, question).catch((error) => error);
  await question.begun(1);
  const second = ask(other, question);
  await until(async () => (await countWaiting(url)) === 1);
  await runSql(
    url,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  await question.begun(2);
  question.letGo();
  expect(await second).toBe('0');
  expect(await first).toBeInstanceOf(Error);
});

test("an instance waits only for a limited time for another instance's result", async () => {
  const { url } = await testDatabase();
  const [one, other] = [instance(url), instance(url, 1)];
  const question = new HeldQuestion();
  const first = ask(one, question);
  await question.begun(1);
  const second = ask(other, question);
  await question.begun(2);
  question.letGo();
  expect(await Promise.all([first, second])).toEqual(['0', '0']);
});

test('a result is not stored if the log was cleared in the meantime', async () => {
  const { url } = await testDatabase();
  const one = instance(url);
  const question = new HeldQuestion();
  await appendAll(url, oneRow());
  const first = ask(one, question);
  await question.begun(1);
  const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
  const service = await testService({ databaseUrl: url, config: { reset } });
  await requestReset(service.url);
  await until(async () => (await runSql(url, `select from reset where state = 'idle'`)).length > 0);
  question.letGo();
  await first;
  await one.answers.stop();
  expect(await keptAnswers(url)).toEqual([]);
});

test('a result is not replaced by one from an earlier state', async () => {
  const { url } = await testDatabase();
  const [one, other] = [instance(url), instance(url, 1)];
  const question = new HeldQuestion();
  const early = ask(one, question);
  await question.begun(1);
  await appendAll(url, oneRow());
  const lateQuestion = new HeldQuestion();
  const late = ask(other, lateQuestion);
  await lateQuestion.begun(1);
  lateQuestion.letGo();
  expect(await late).toBe('1');
  await other.answers.stop();
  await tampered(url);
  question.letGo();
  expect(await early).toBe('0');
  await one.answers.stop();
  expect(await ask(one, question)).toBe('"kept"');
});
