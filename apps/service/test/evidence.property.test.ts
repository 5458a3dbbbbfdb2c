import { createClient } from '@shiplog/client';
import { evidenceFigures } from '@shiplog/contract';
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
import { appendAll } from './support/bulk-append.ts';
import { ownValue, plainAnswers, plainEvidence, recomputed } from './support/plain-evidence.ts';
import { readEvidence } from './support/read-evidence.ts';
import { placedHistory, scopedHistory } from './support/scoped-history.ts';
import { storedEvents } from './support/stored.ts';

const promotionOrder = ['dev', 'staging', 'PROD'];

let database: TestDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await cloneDatabase();
  service = await runService({
    databaseUrl: database.url,
    config: { analytics: { granularity: 'day', promotionOrder } },
  });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

test.each(evidenceFigures)(
  '%s: the items equal those of the plain model, add up to the figure and are complete across pages',
  { timeout: 600_000 },
  async (figure) => {
    const client = createClient({ baseUrl: service.url, keys: testKeys });
    await fc.assert(
      fc.asyncProperty(scopedHistory, fc.constantFrom(1, 2, 7, 500), async (history, limit) => {
        await emptyLog(database.url);
        const { window } = (await client.getFrequency({ query: { window: '7d' } })).body;
        const { events, query, shown, plainWindowOf } = placedHistory(history, window, promotionOrder);
        await appendAll(database.url, events);
        const said = await readEvidence(client, figure, query, { limit });
        const asked = {
          rows: await storedEvents(database.url),
          window: plainWindowOf(said.window),
          promotionOrder,
          shown,
        };
        const due = plainEvidence(figure, asked).map(({ rows: [about, ...others], value, reason, counted }) => ({
          ...{ service: about.service, environment: about.environment, deployment_id: about.deployment_id },
          ...(figure === 'stages' && { status: about.status }),
          ...{ at: about.happened_at, value, counted, reason },
          event_ids: [about, ...others].map(({ id }) => id),
        }));
        expect(said.items).toEqual(aligned(due, said.items));
        expect(said.value).toEqual(recomputed(said, shown));
        expect(said.value).toEqual(await ownValue(client, figure, query));
        expect(said.counted).toBe(due.filter(({ counted }) => counted).length);
        const reasons = due.filter(({ counted }) => !counted).map(({ reason }) => reason);
        const leftOut = said.left_out.flatMap(({ reason, count }) => Array(count).fill(reason));
        expect(leftOut.sort()).toEqual(reasons.sort());
        for (const counted of [true, false]) {
          const narrowed = await readEvidence(client, figure, query, { limit, counted: `${counted}` });
          expect(narrowed).toEqual({ ...said, items: said.items.filter((item) => item.counted === counted) });
        }
      }),
      { numRuns: runs(6), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
  },
);

test('each response equals that of its plain model for any scope and period', { timeout: 600_000 }, async () => {
  const client = createClient({ baseUrl: service.url, keys: testKeys });
  await fc.assert(
    fc.asyncProperty(scopedHistory, async (history) => {
      await emptyLog(database.url);
      const { window } = (await client.getFrequency({ query: { window: '7d' } })).body;
      const { events, query, plainWindowOf } = placedHistory(history, window);
      await appendAll(database.url, events);
      const rows = await storedEvents(database.url);
      for (const [name, model] of Object.entries(plainAnswers)) {
        const { body } = await client[name as keyof typeof plainAnswers]({ query });
        const { window: answered, scope: _, ...said } = body;
        expect(said).toEqual(aligned(model(rows, plainWindowOf(answered)), said));
      }
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
