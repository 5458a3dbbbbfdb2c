import { type Client, createClient } from '@shiplog/client';
import { cloneDatabase, type RunningService, runService, type TestDatabase, testKeys } from '@shiplog/testing';
import { afterAll, beforeAll } from 'vitest';
import type { PlainStage } from './plain-stage.ts';

/** Services on one database, one for each promotion order, which the file starts and stops. */
export function ladderServices(ladders: readonly (readonly PlainStage[])[], config: () => object = () => ({})) {
  const services: RunningService[] = [];
  let database: TestDatabase | undefined;

  beforeAll(async () => {
    database = await cloneDatabase();
    for (const promotionOrder of ladders) {
      const analytics = { granularity: 'day' as const, promotionOrder };
      services.push(await runService({ databaseUrl: database.url, config: { analytics, ...config() } }));
    }
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database?.drop();
  });

  return {
    get databaseUrl(): string {
      return database?.url ?? '';
    },
    clientAt(at: number): Client {
      return createClient({ baseUrl: services[at]?.url ?? '', keys: testKeys });
    },
  };
}
