import pg from 'pg';

/** How to connect to the server: a URL, or the socket of the embedded server. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** How long shutdown waits for a database that may no longer respond. */
export const goodbyeMs = 1000;

/** Resolves when the work has settled or the time has passed. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([over, work.catch(() => undefined)]);
  clearTimeout(timer);
}

/** How long a call waits for a connection (reading 8.3). */
export const connectTimeoutMs = 3000;

interface ClientOptions {
  /** The timeout of statements without a separate timeout. */
  readonly answerMs: number;
  /** Closes the connection. Running statements reject. */
  readonly signal: AbortSignal | undefined;
}

/** Runs work on a separate connection, which is closed afterwards. */
export async function withClient<Result>(
  connection: Connection,
  { answerMs, signal }: ClientOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs, query_timeout: answerMs });
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
