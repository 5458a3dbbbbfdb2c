import { type Client, createClient } from '@shiplog/client';
import {
  cloneDatabase,
  emptyLog,
  type RunningService,
  runService,
  runs,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aligned } from './support/aligned.ts';
import { compared, drawnEvent, placed } from './support/analytics-history.ts';
import { appendAll } from './support/bulk-append.ts';
import { expectDerived } from './support/derived.ts';
import { storedEvents } from './support/stored.ts';

const promotionOrders = [['dev', 'staging', 'prod'], ['qa', 'PROD', 'edge', 'staging'], ['prod']] as const;
const granularities = ['day', 'hour'] as const;

let database: TestDatabase;
/** One service for each promotion order, alternating between day and hour granularity. */
let services: {
  readonly promotionOrder: readonly string[];
  readonly service: RunningService;
  readonly client: Client;
}[];

beforeAll(async () => {
  database = await cloneDatabase();
  services = await Promise.all(
    promotionOrders.map(async (promotionOrder, index) => {
      const granularity = granularities[index % 2] ?? 'day';
      const service = await runService({
        databaseUrl: database.url,
        config: { analytics: { granularity, promotionOrder } },
      });
      return { promotionOrder, service, client: createClient({ baseUrl: service.url, keys: testKeys }) };
    }),
  );
});

afterAll(async () => {
  await Promise.all(services.map(({ service }) => service.stop()));
  await database.drop();
});

test('the nine reports equal those of the plain model for random histories in any order of arrival', {
  timeout: 300_000,
}, async () => {
  const history = fc.record({
    drawn: fc.array(drawnEvent, { minLength: 0, maxLength: 24, size: 'max' }),
    asked: fc.constantFrom('7d', '14d', '30d', '30D'),
    place: fc.nat(promotionOrders.length - 1),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ drawn, asked, place }) => {
      const { client, promotionOrder } = services[place] ?? raise();
      await emptyLog(database.url);
      const { window } = (await client.getFrequency({ query: { window: asked } })).body;
      await appendAll(
        database.url,
        drawn.map((event) => placed(event, window)),
      );
      const rows = await storedEvents(database.url);
      const { said, due } = await compared({ window: asked }, { client, promotionOrder, rows });
      expect(said).toEqual(aligned(due, said));
      await expectDerived(database.url, rows);
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
});

function raise(): never {
  throw new Error('there is no such service');
}
