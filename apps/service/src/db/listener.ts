import type { Channel } from '@shiplog/contract';
import { backoffMs } from '@shiplog/streams';
import pg from 'pg';
import { connectTimeoutMs, goodbyeMs, settledWithin } from './connection.ts';
import { isNotPrimary } from './errors.ts';
import type { Servers } from './servers.ts';
import { refuseSuperseded, type ServerRole, serverRole } from './superseded.ts';

interface ListenerOptions {
  readonly servers: Servers;
  readonly channels: readonly Channel[];
  readonly onNotice: (channel: Channel) => void;
  /** Earlier notifications may be lost. */
  readonly onAttached: () => void;
  readonly onDetached: (reason: Error) => void;
}

const pingMs = 5000;
const pingTimeoutMs = 3000;
const backoff = { minMs: 100, maxMs: 2000 };

/**
 * The connection of an instance that LISTENs to all channels. A notification is only a hint: readers check the tables
 * when a notification arrives, when the listener reattaches, and at a regular interval. So the loss of a notification
 * delays frames but never loses any.
 *
 * ```
 *               connected                  error, end, no answer
 *  detached ─────────────────► attached ─────────────────────────► detached (retries with backoff)
 * ```
 */
export class Listener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #attached = false;
  #stopped = false;
  #ping: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Ends the current attempt to attach. */
  #abandon: (() => void) | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    options.servers.onMoved(() => this.#move());
  }

  get attached(): boolean {
    return this.#attached;
  }

  /** Attaches once and fails fast. If the connection is lost later, it reattaches in the background. */
  start(): Promise<void> {
    return this.#attach();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#forget();
    if (client) await settledWithin(goodbyeMs, client.end());
  }

  async #attach(): Promise<void> {
    const client = new pg.Client({
      ...this.#options.servers.connection,
      application_name: 'shiplog listener',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: pingTimeoutMs,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection ended')));
    client.on('notification', (notice) => this.#options.onNotice(notice.channel as Channel));
    try {
      await Promise.race([this.#listen(client), this.#moved()]);
      // The connection may have been lost since the response, and nothing else would retry.
      if (this.#client !== client && !this.#stopped) throw new Error('the connection ended while it attached');
    } catch (error) {
      this.#forget();
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#stopped) return;
    this.#attached = true;
    this.#failures = 0;
    this.#ping = setInterval(() => {
      client.query('select 1').catch((error) => this.#lost(client, error));
    }, pingMs);
    this.#options.onAttached();
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect();
    const listens = this.#options.channels.map((channel) => `listen ${channel}`);
    const answers: unknown = await client.query([...listens, serverRole].join('; '));
    refuseSuperseded((answers as pg.QueryResult<ServerRole>[]).at(-1)?.rows[0]);
  }

  /** Rejects when another server becomes the primary. */
  #moved(): Promise<never> {
    return new Promise((_, reject) => {
      this.#abandon = () => reject(new Error(isNotPrimary));
    });
  }

  #lost(client: pg.Client, reason: Error): void {
    if (this.#client !== client || this.#stopped) return;
    const wasAttached = this.#attached;
    this.#forget();
    client.end().catch(() => undefined);
    if (!wasAttached) return;
    this.#options.onDetached(reason);
    this.#retryLater();
  }

  /** Called when another server has become the primary. Attaches there immediately. */
  #move(): void {
    this.#failures = 0;
    if (this.#attached && this.#client) this.#lost(this.#client, new Error(isNotPrimary));
    else if (this.#client) {
      this.#forget();
      this.#abandon?.();
    } else if (this.#retry !== undefined && !this.#stopped) {
      clearTimeout(this.#retry);
      this.#retryLater();
    }
  }

  #retryLater(): void {
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        this.#attach().catch(() => {
          if (!this.#stopped) this.#retryLater();
        });
      },
      backoffMs(this.#failures, backoff),
    );
    this.#failures += 1;
  }

  #forget(): void {
    clearInterval(this.#ping);
    this.#attached = false;
    this.#client = undefined;
  }
}
