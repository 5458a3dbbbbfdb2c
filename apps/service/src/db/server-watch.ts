import pg from 'pg';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { endSessions, markSuperseded, serverTimeline, watchName } from './superseded.ts';

/** How long a server may take to say whether it is the primary. */
const answerMs = 1000;

/** What a server said of itself. */
export interface ServerState {
  /** Of a primary; null of a standby. After a failover the new primary's is greater. */
  readonly timeline: number | null;
  /** The timeline of the primary that has taken its place, where an instance has marked it. */
  readonly successor: number | null;
}

/** One server, which is asked on a connection that stays open. */
export class ServerWatch {
  readonly connection: Connection;
  /** What it said last; `undefined` where it did not answer. */
  state: ServerState | undefined;
  #client: pg.Client | undefined;
  /** The greatest timeline that the connection has marked the server with. */
  #marked = 0;
  #isStopped = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Asks it; gives what it says, `undefined` where it does not answer. */
  async look(): Promise<ServerState | undefined> {
    this.state = await this.#ask<ServerState>(serverTimeline).then(
      ([said]) => said,
      () => undefined,
    );
    return this.state;
  }

  /** Marks a primary whose place another one has taken: no instance uses it from then on. Gives whether it was unmarked. */
  async supersede(timeline: number): Promise<boolean> {
    if (this.#marked >= timeline) return false;
    await this.#ask(markSuperseded, [timeline]);
    await this.#ask(endSessions);
    this.#marked = timeline;
    return true;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const client = this.#client;
    this.#client = undefined;
    if (client) await settledWithin(goodbyeMs, client.end());
  }

  async #ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = this.#client ?? (await this.#connect());
    try {
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      this.#forget(client);
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    if (this.#isStopped) throw new Error('the server is no longer watched');
    const limits = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
    const client = new pg.Client({ ...this.connection, ...limits, application_name: watchName, keepAlive: true });
    client.on('error', () => this.#forget(client));
    this.#client = client;
    try {
      return await client.connect();
    } catch (error) {
      this.#forget(client);
      throw error;
    }
  }

  #forget(client: pg.Client): void {
    client.end().catch(() => undefined);
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#marked = 0;
  }
}
