import pg from 'pg';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { endSessions, markSuperseded, serverTimeline, watchName } from './superseded.ts';

/** How long a server may take to report whether it is the primary. */
const answerMs = 1000;

/** What a server reports about itself. */
export interface ServerState {
  /** The timeline of a primary; null for a standby. After a failover the new primary's is greater. */
  readonly timeline: number | null;
  /** The timeline of the primary that replaced it, if an instance has marked it. */
  readonly successor: number | null;
}

/** One server, queried on a connection that stays open. */
export class ServerWatch {
  readonly connection: Connection;
  /** Its last answer; `undefined` if it did not answer. */
  state: ServerState | undefined;
  #client: pg.Client | undefined;
  /** The greatest timeline that the connection has marked the server with. */
  #marked = 0;
  #isStopped = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Queries the server; `undefined` if it does not answer. */
  async query(): Promise<ServerState | undefined> {
    this.state = await this.#ask<ServerState>(serverTimeline).then(
      ([said]) => said,
      () => undefined,
    );
    return this.state;
  }

  /** Marks a replaced primary, so that no instance uses it any more. Returns whether it was unmarked. */
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
