import { runSql } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

let taken = 0;

/**
 * Keeps the service from clearing its log, through the database as another program might: a session that keeps
 * others from changing a table, in a transaction which does not end. A lever, not a look inside: the suite hands it only a database that it made.
 */
export class DatabaseLock {
  readonly #databaseUrl: string;
  readonly #session: string;
  readonly #ended: Promise<unknown>;

  /** Resolves when the table is held; released at the latest when the test is over. */
  static async take(databaseUrl: string, table = 'fetcher_states'): Promise<DatabaseLock> {
    const lock = new DatabaseLock(databaseUrl, table);
    onTestFinished(() => lock.release());
    while (!(await lock.#held())) await new Promise((resolve) => setImmediate(resolve));
    return lock;
  }

  private constructor(databaseUrl: string, table: string) {
    taken += 1;
    this.#databaseUrl = databaseUrl;
    this.#session = `conformance lock ${taken}`;
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', this.#session);
    // One transaction: the lock lasts until the session is ended.
    this.#ended = runSql(url.href, `lock table ${table} in share mode; select pg_sleep(3600)`).catch(() => undefined);
  }

  async release(): Promise<void> {
    const end = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
    await runSql(this.#databaseUrl, end, [this.#session]);
    await this.#ended;
  }

  async #held(): Promise<boolean> {
    const text = `select from pg_stat_activity where application_name = $1 and wait_event = 'PgSleep'`;
    return (await runSql(this.#databaseUrl, text, [this.#session])).length > 0;
  }
}
