import { createClient } from '@shiplog/client';
import { cloneDatabase, type RunningService, runService, runs, type TestDatabase, testKeys } from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendAll } from './support/bulk-append.ts';
import { emptyLog } from './support/emptied.ts';
import { plainStability } from './support/plain-stability.ts';
import { placedHistory, scopedHistory } from './support/scoped-history.ts';
import { storedEvents } from './support/stored.ts';

let database: TestDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await cloneDatabase();
  service = await runService({ databaseUrl: database.url });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

test('rollbacks and rework are those of the plain model, of any scope and period', { timeout: 600_000 }, async () => {
  const client = createClient({ baseUrl: service.url, keys: testKeys });
  await fc.assert(
    fc.asyncProperty(scopedHistory, async (history) => {
      await emptyLog(database.url);
      const { window } = (await client.getFrequency({ query: { window: '7d' } })).body;
      const { events, query, plainWindowOf } = placedHistory(history, window);
      await appendAll(database.url, events);
      const { window: answered, scope: _, ...said } = (await client.getStability({ query })).body;
      expect(said).toEqual(plainStability(await storedEvents(database.url), plainWindowOf(answered)));
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
