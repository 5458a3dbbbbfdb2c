import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from './client.ts';
import type { Connection } from './connection.ts';

/** How long a server may take to say whether it is the primary. */
const answerMs = 1000;
/** How long the others are waited for once one has said that it is. Later, only one of a greater timeline counts. */
const othersMs = 200;
const pauseMs = 250;

/** The timeline of a primary: after a failover the new one's is greater. Nothing comes from a standby. */
const question = `
  select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`;

interface Primary {
  readonly connection: Connection;
  readonly timeline: string;
}

/**
 * The servers of the log, of which one is the primary. Which one is, they are asked: all at once at the start, and again
 * whenever a connection fails, until one says so. Of two that say so, as after a failover whose old primary is not down
 * yet, the one with the greater timeline is it.
 */
export class Servers {
  readonly #all: readonly Connection[];
  readonly #over = new AbortController();
  readonly #onMoved = new Set<() => void>();
  #current: Connection;
  /** Of the primary, as it last said; empty before it has. */
  #timeline = '';
  #looking: Promise<void> | undefined;

  /** @param all at least one. */
  constructor(all: readonly [Connection, ...Connection[]]) {
    this.#all = all;
    this.#current = all[0];
  }

  /** The way to the primary, as far as is known. */
  get connection(): Connection {
    return this.#current;
  }

  /** Calls when another server is the primary. */
  onMoved(listener: () => void): void {
    this.#onMoved.add(listener);
  }

  /** Looks once; without an answer the server stays that was known. */
  async find(): Promise<boolean> {
    if (this.#all.length === 1) return true;
    const found: Primary[] = [];
    const answers = this.#all.map(async (connection) => {
      const timeline = await this.#timelineOf(connection);
      if (timeline !== undefined) found.push({ connection, timeline });
      return timeline;
    });
    const all = Promise.allSettled(answers);
    await Promise.any(answers.map(told)).catch(() => undefined);
    await Promise.race([all, pause(othersMs)]);
    // One that was not waited for is the primary all the same: nobody asks again while the other one takes connections.
    void all.then(() => this.#take(newestOf(found, this.#timeline)));
    return this.#take(newestOf(found));
  }

  /** Gives whether there is one. */
  #take(newest: Primary | undefined): boolean {
    if (!newest || this.#over.signal.aborted) return false;
    this.#timeline = newest.timeline;
    if (newest.connection === this.#current) return true;
    this.#current = newest.connection;
    for (const listener of this.#onMoved) listener();
    return true;
  }

  /** A connection failed: looks until a primary is found, in the background. */
  lookAgain(): void {
    if (this.#all.length === 1 || this.#over.signal.aborted) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted && !(await this.find())) await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }

  /** `undefined` of a standby, and of a server that does not answer. */
  async #timelineOf(connection: Connection): Promise<string | undefined> {
    const limits = { answerMs, connectMs: answerMs, signal: this.#over.signal };
    const asked = withClient(connection, limits, async (client) => {
      const { rows } = await client.query<{ timeline: string | null }>(question);
      return rows[0]?.timeline ?? undefined;
    });
    return asked.catch(() => undefined);
  }
}

/** The one of the greatest timeline, if that is greater than `than`. */
function newestOf(found: readonly Primary[], than = ''): Primary | undefined {
  const [newest] = found.toSorted((left, right) => right.timeline.localeCompare(left.timeline));
  return newest && newest.timeline > than ? newest : undefined;
}

/** Rejects without an answer, so that the first answer can be waited for. */
async function told(answer: Promise<string | undefined>): Promise<void> {
  if ((await answer) === undefined) throw new Error('no primary');
}
