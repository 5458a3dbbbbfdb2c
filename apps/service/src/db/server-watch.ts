import pg from 'pg';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { endSessions, markSuperseded, serverTimeline, watchName } from './superseded.ts';

const answerMs = 1000;

export interface ServerState {
  /** The timeline of a primary; null for a standby. After a failover, the new primary has a greater timeline. */
  readonly timeline: number | null;
  /** The timeline of the primary that replaced it, if an instance has marked it. */
  readonly successor: number | null;
}

/** Queries one server on a connection that stays open. */
export class ServerWatch {
  readonly connection: Connection;
  /** The last response; `undefined` if the server did not respond. */
  state: ServerState | undefined;
  #client: pg.Client | undefined;
  /** The greatest timeline with which this connection has marked the server. */
  #marked = 0;
  #isStopped = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async query(): Promise<ServerState | undefined> {
    const [state] = await this.#ask<ServerState>(serverTimeline).catch(() => []);
    this.state = state;
    return state;
  }

  /** Marks a replaced primary, so that no instance uses it. Returns whether it was not marked before. */
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
