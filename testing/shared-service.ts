import { streams } from '@shiplog/contract';
import { afterAll } from 'vitest';
import { clientOf } from './client.ts';
import { cloneDatabase } from './database.ts';
import { runService, type TestServiceOptions, testKeys } from './service.ts';
import { StreamReader } from './stream-reader.ts';

type Options = Omit<TestServiceOptions, 'databaseUrl'>;

export interface EmptyService {
  readonly url: string;
  readonly databaseUrl: string;
}

/**
 * One service for the tests of a file, because a start takes much longer than a reset. Each call of the returned
 * function clears its log. Reports of components, removals and counts of refused posts remain.
 */
export function sharedService(options: Options | (() => Promise<Options>) = {}): () => Promise<EmptyService> {
  let starting: ReturnType<typeof start> | undefined;
  afterAll(async () => (await starting)?.stop());
  return async () => {
    const isNew = !starting;
    starting ??= start(options);
    const { service, clear } = await starting;
    if (!isNew) await clear();
    return service;
  };
}

async function start(given: Options | (() => Promise<Options>)) {
  const options = typeof given === 'function' ? await given() : given;
  const database = await cloneDatabase();
  const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
  const { url, stop } = await runService({
    ...options,
    databaseUrl: database.url,
    config: { reset, ...options.config },
  });
  const headers = { 'x-control-api-key': testKeys.control };
  const control = await StreamReader.connect({ url: `${url}${streams.control.path}`, headers });
  return {
    service: { url, databaseUrl: database.url },
    clear: async () => {
      const { correlation_id } = (await clientOf(url).startReset()).body;
      await control.until(({ frames }) =>
        frames.some(({ event, data }) => event === 'reset-completed' && data.includes(correlation_id)),
      );
    },
    stop: async () => {
      control.close();
      await stop();
      await database.drop();
    },
  };
}
