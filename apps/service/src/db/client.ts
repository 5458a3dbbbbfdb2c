import pg from 'pg';
import { type Connection, connectTimeoutMs, goodbyeMs, settledWithin } from './connection.ts';

export interface ClientOptions {
  /** Time limit of statements without their own. */
  readonly answerMs: number;
  /** How long the server may take to accept the connection; `connectTimeoutMs` by default. */
  readonly connectMs?: number;
  /** Cuts the connection; running statements reject. */
  readonly signal: AbortSignal | undefined;
}

/** Runs work on its own connection, which is closed afterwards. */
export async function withClient<Result>(
  connection: Connection,
  { answerMs, connectMs = connectTimeoutMs, signal }: ClientOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectMs, query_timeout: answerMs });
  client.on('error', () => undefined);
  const end = () => settledWithin(goodbyeMs, client.end());
  signal?.addEventListener('abort', end);
  try {
    await client.connect();
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', end);
    await end();
  }
}
