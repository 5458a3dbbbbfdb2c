import pg from 'pg';
import { type Connection, connectTimeoutMs, goodbyeMs, settledWithin } from './connection.ts';

export interface ClientOptions {
  /** How long a statement may take that has no limit of its own. */
  readonly answerMs: number;
  /** How long the server may take to accept the connection, where it is not `connectTimeoutMs`. */
  readonly connectMs?: number;
  /** Cuts the connection; what runs on it rejects. */
  readonly signal: AbortSignal | undefined;
}

/** Opens a connection for some work, and closes it afterwards. */
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
