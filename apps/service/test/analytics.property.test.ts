import { type Client, createClient } from '@shiplog/client';
import { type AnalyticsWindow, type DeploymentEvent, type DeploymentEventIngest, statuses } from '@shiplog/contract';
import {
  cloneDatabase,
  micros,
  type RunningService,
  runService,
  runSql,
  runs,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aligned } from './support/aligned.ts';
import { appendAll } from './support/bulk-append.ts';
import { expectDerived } from './support/derived.ts';
import * as plain from './support/plain-analytics.ts';
import { storedEvents } from './support/stored.ts';

const ladders = [['dev', 'staging', 'prod'], ['qa', 'PROD', 'edge', 'staging'], ['prod']] as const;
const granularities = ['day', 'hour'] as const;

let database: TestDatabase;
/** One for each ladder, in turn by the day and by the hour. */
let services: { readonly ladder: readonly string[]; readonly service: RunningService; readonly client: Client }[];

beforeAll(async () => {
  database = await cloneDatabase();
  services = await Promise.all(
    ladders.map(async (ladder, index) => {
      const granularity = granularities[index % 2] ?? 'day';
      const service = await runService({ databaseUrl: database.url, config: { analytics: { granularity, ladder } } });
      return { ladder, service, client: createClient({ baseUrl: service.url, keys: testKeys }) };
    }),
  );
});

afterAll(async () => {
  await Promise.all(services.map(({ service }) => service.stop()));
  await database.drop();
});

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A moment of a window: one of its edges, a midnight or its middle, or any, and some minutes beside it. */
const moment = fc.record({
  anchor: fc.constantFrom('from', 'to', 'middle', 'midnight', 'any'),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  minutes: fc.constantFrom(0, 0, 0, -1, 1, 5, 10, 30, 59, 60, 61, 240, 1440, 1441, -1500),
  fraction: fc.constantFrom('', '.5', '.000001', '.999999'),
});

const deploymentIds = ['a', 'b', 'c', 'd', 'e'];

const drawnEvent = fc.record({
  deployment: fc.constantFrom(...deploymentIds),
  service: fc.constantFrom('api', 'web'),
  environment: fc.constantFrom('dev', 'Staging', 'staging', 'qa', 'PROD', 'prod', 'Prod', 'elsewhere'),
  status: fc.constantFrom(...statuses, 'success', 'failure', 'success', 'failure'),
  actor: fc.constantFrom(undefined, 'alice', 'bob', 'unknown', ''),
  parents: fc.option(fc.uniqueArray(fc.constantFrom(...deploymentIds, 'nobody'), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
    freq: 2,
  }),
  moment,
});

type DrawnEvent = typeof drawnEvent extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function placed(drawn: DrawnEvent, window: AnalyticsWindow): DeploymentEventIngest {
  const from = Date.parse(window.from);
  const to = Date.parse(window.to);
  const any = Math.floor((from + drawn.moment.share * (to - from)) / minuteMs) * minuteMs;
  const anchors = {
    from,
    to,
    middle: from + Math.floor(window.days / 2) * dayMs,
    midnight: Math.floor(any / dayMs) * dayMs,
    any,
  };
  const at = new Date(anchors[drawn.moment.anchor as keyof typeof anchors] + drawn.moment.minutes * minuteMs);
  return {
    deployment_id: drawn.deployment,
    service: drawn.service,
    environment: drawn.environment,
    status: drawn.status,
    happened_at: at.toISOString().replace('.000Z', `${drawn.moment.fraction}Z`),
    ...(drawn.actor !== undefined && { actor: drawn.actor }),
    ...(drawn.parents !== undefined && { parent_deployments: drawn.parents }),
  };
}

/** All nine answers of a service, beside what the model says to the same rows and window. */
async function compared(client: Client, ladder: readonly string[], asked: string, rows: readonly DeploymentEvent[]) {
  const query = { window: asked };
  const limit = 5;
  const frequency = (await client.getFrequency({ query })).body;
  const rates = (await client.getChangeFailureRate({ query })).body;
  const histogram = (await client.getDurationHistogram({ query })).body;
  const stages = (await client.getPromotionFunnel({ query })).body;
  const distribution = (await client.getStatusDistribution({ query })).body;
  const heatmap = (await client.getHeatmap({ query })).body;
  const deployers = (await client.getTopDeployers({ query: { ...query, limit } })).body;
  const incidents = (await client.getIncidents({ query: { ...query, limit } })).body;
  const dora = (await client.getDora({ query })).body;
  const without = ({ window: _, ...answer }: { window: AnalyticsWindow }) => answer;
  const instant = (text: string | null) => (text === null ? null : micros({ happened_at: text }));
  return {
    said: {
      frequency: without(frequency),
      rates: without(rates),
      histogram: without(histogram),
      stages: without(stages),
      distribution: without(distribution),
      heatmap: without(heatmap),
      deployers: without(deployers),
      incidents: incidents.incidents.map((incident) => ({
        ...incident,
        failed_at: instant(incident.failed_at),
        restored_at: instant(incident.restored_at),
      })),
      dora: without(dora),
    },
    due: {
      frequency: { buckets: plain.plainFrequency(rows, frequency.window) },
      rates: { buckets: plain.plainFailureRates(rows, rates.window), elite_threshold: 0.15 },
      histogram: plain.plainHistogram(rows, histogram.window),
      stages: { stages: plain.plainFunnel(rows, stages.window, ladder) },
      distribution: { statuses: plain.plainDistribution(rows, distribution.window) },
      heatmap: { cells: plain.plainHeatmap(rows, heatmap.window) },
      deployers: { deployers: plain.plainDeployers(rows, deployers.window, limit) },
      incidents: plain.plainIncidents(rows, incidents.window, limit),
      dora: plain.plainDora(rows, dora.window, ladder),
    },
  };
}

async function emptied(): Promise<void> {
  await runSql(database.url, 'delete from deployments; delete from latest_deployments; delete from hourly_counts');
}

test('the nine answers are those of the plain model, over random histories in any order of arrival', {
  timeout: 300_000,
}, async () => {
  const history = fc.record({
    drawn: fc.array(drawnEvent, { minLength: 0, maxLength: 24, size: 'max' }),
    asked: fc.constantFrom('7d', '14d', '30d', '30D'),
    place: fc.nat(ladders.length - 1),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ drawn, asked, place }) => {
      const { client, ladder } = services[place] ?? raise();
      await emptied();
      const { window } = (await client.getFrequency({ query: { window: asked } })).body;
      await appendAll(
        database.url,
        drawn.map((event) => placed(event, window)),
      );
      const rows = await storedEvents(database.url);
      const { said, due } = await compared(client, ladder, asked, rows);
      expect(said).toEqual(aligned(due, said));
      await expectDerived(database.url, rows);
    }),
    { numRuns: runs(50), interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
});

function raise(): never {
  throw new Error('there is no such service');
}
