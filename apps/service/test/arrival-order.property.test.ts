import {
  type DeploymentEvent,
  type DeploymentEventIngest,
  type Matrix,
  parseInstant,
  type Status,
  statuses,
  storedEvent,
} from '@shiplog/contract';
import { clientOf, distinct, fileService, micros, newestFirst, plainLatest, plainMatrix, runs } from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendDeployments } from '../src/db/append-deployments.ts';
import { Database } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { storedLatest } from './support/stored.ts';

const log = fileService();
let database: Database;

beforeAll(() => {
  database = new Database(new Servers([{ connectionString: log.databaseUrl }]), () => undefined);
});

afterAll(() => database.stop());

let histories = 0;

/** Shrinking must end before the test's time limit; otherwise the counterexample is not reported. */
const limits = { numRuns: runs(40), interruptAfterTimeLimit: 200_000 };

/** Many slots with many equal times: all times are within three microseconds. */
const anywhere = fc.record({
  service: fc.constantFrom('api', 'é', '\u{1f6a2}', '\uff5e'),
  environment: fc.constantFrom('dev', 'prod', 'Ünï'),
  status: fc.constantFrom(...statuses),
  second: fc.integer({ min: 0, max: 3 }),
  fraction: fc.constantFrom('', '.0', '.0000001', '.0000019', '.000002'),
});

/** One slot and three times, so that the rules for one slot interact in all possible ways. */
const inOnePlace = fc.record({
  service: fc.constant('api'),
  environment: fc.constant('dev'),
  status: fc.constantFrom<Status>('in-progress', 'success', 'failure', 'queued', 'rejected'),
  second: fc.integer({ min: 0, max: 2 }),
  fraction: fc.constant(''),
});

const happenings = fc.oneof(
  { arbitrary: fc.array(anywhere, { minLength: 1, maxLength: 40, size: 'max' }), weight: 1 },
  { arbitrary: fc.array(inOnePlace, { minLength: 3, maxLength: 8, size: 'max' }), weight: 5 },
);

/** Unique names, so that histories in the same database don't interfere. */
const history = happenings.map((drawn) => {
  histories += 1;
  return drawn.map(
    ({ second, fraction, ...place }, index): DeploymentEventIngest => ({
      deployment_id: `event-${index}`,
      service: `${histories}-${place.service}`,
      environment: `${histories}-${place.environment}`,
      status: place.status,
      happened_at: `2026-05-04T09:12:0${second}${fraction}Z`,
    }),
  );
});

const batchSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });

function arrivals(events: readonly DeploymentEventIngest[]) {
  return fc.record({
    events: fc.shuffledSubarray([...events], { minLength: events.length, maxLength: events.length }),
    batchSizes,
  });
}

type Arrival = { readonly events: readonly DeploymentEventIngest[]; readonly batchSizes: readonly number[] };

/** Stores the events in order, in batches of these sizes. Returns the stored rows. */
async function store({ events, batchSizes }: Arrival): Promise<DeploymentEvent[]> {
  const rows: DeploymentEvent[] = [];
  for (let batch = 0; rows.length < events.length; batch++) {
    const size = batchSizes[batch % batchSizes.length] ?? 1;
    const part = events.slice(rows.length, rows.length + size);
    const ids = await appendDeployments(
      database.appends,
      part.map((event) => storedEvent(event, undefined)),
    );
    const stored = part.map((event) => ({ ...event, happened_at: parseInstant(event.happened_at) ?? '' }));
    rows.push(...stored.map((event, index) => ({ id: ids[index] ?? '', ...event })));
  }
  return rows;
}

/** The matrix of each service in these rows. */
async function matricesOf(rows: readonly DeploymentEvent[]): Promise<Omit<Matrix, 'generated_at'>[]> {
  const services = distinct(rows.map((row) => row.service));
  const answers = await Promise.all(services.map((service) => clientOf(log.url).getMatrix({ query: { service } })));
  return answers.map(({ body: { environments, rows } }) => ({ environments, rows }));
}

/** Reads all rows of a service, in pages so small that rows with equal times are on both sides of a page boundary. */
async function listed(service: string, limit: number): Promise<DeploymentEvent[]> {
  const items: DeploymentEvent[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await clientOf(log.url).listDeployments({ query: { service, limit, ...(cursor && { cursor }) } });
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return items;
}

function prefixOf(rows: readonly { service: string }[]): string {
  return `${rows[0]?.service.split('-')[0]}-`;
}

test('matrix, listing and discovery equal the plain reduction of the stored rows in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(history.chain(arrivals), async (arrival) => {
      const rows = await store(arrival);
      const prefix = prefixOf(rows);
      const plain = plainMatrix(rows);
      const whole = (await clientOf(log.url).getMatrix()).body;
      expect(whole.environments.filter((name) => name.startsWith(prefix))).toEqual(plain.environments);
      expect(whole.rows.filter((row) => row.service.startsWith(prefix))).toEqual(plain.rows);
      expect(await matricesOf(rows)).toEqual(
        plain.rows.map((row) => ({ environments: distinct(Object.keys(row.slots)), rows: [row] })),
      );
      for (const { service } of plain.rows) {
        const ofService = newestFirst(rows.filter((row) => row.service === service));
        expect(await listed(service, Math.ceil(ofService.length / 8))).toEqual(ofService);
      }
      const services = (await clientOf(log.url).listServices()).body.items.filter((name) => name.startsWith(prefix));
      expect(services).toEqual(distinct(rows.map((row) => row.service)));
      const environments = (await clientOf(log.url).listEnvironments()).body.items.filter((name) =>
        name.startsWith(prefix),
      );
      expect(environments).toEqual(distinct(rows.map((row) => row.environment)));
    }),
    limits,
  );
});

test('a past matrix equals the matrix of the rows up to that time in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(history.chain(arrivals), async (arrival) => {
      const rows = await store(arrival);
      const prefix = prefixOf(rows);
      for (const at of distinct(['2026-05-04T09:11:59Z', ...rows.map((row) => row.happened_at)])) {
        const plain = plainMatrix(rows.filter((row) => micros(row) <= micros({ happened_at: at })));
        const { body } = await clientOf(log.url).getMatrix({ query: { at } });
        expect({ at, rows: body.rows.filter((row) => row.service.startsWith(prefix)) }).toEqual({
          at,
          rows: plain.rows,
        });
        expect(body.environments.filter((name) => name.startsWith(prefix))).toEqual(plain.environments);
      }
    }),
    { ...limits, numRuns: runs(10) },
  );
});

test('the table of latest rows equals the plain reduction of the log', async () => {
  await fc.assert(
    fc.asyncProperty(history.chain(arrivals), async (arrival) => {
      const rows = await store(arrival);
      expect(await storedLatest(log.databaseUrl, prefixOf(rows))).toEqual(plainLatest(rows));
    }),
    limits,
  );
});

test('a history without equal times gives the same matrix in every order of arrival', async () => {
  const distinctTimes = history.map((events) =>
    events.map((event, index) => ({ ...event, happened_at: `2026-05-04T09:12:00.0000${10 + index}Z` })),
  );
  const twoArrivals = distinctTimes.chain((events) => {
    histories += 1;
    const again = events.map((event) => ({
      ...event,
      service: event.service.replace(/^\d+/, String(histories)),
      environment: event.environment.replace(/^\d+/, String(histories)),
    }));
    return fc.tuple(arrivals(events), arrivals(again));
  });
  await fc.assert(
    fc.asyncProperty(twoArrivals, async (pair) => {
      const matrices: string[] = [];
      for (const arrival of pair) {
        const rows = await store(arrival);
        const text = JSON.stringify(await matricesOf(rows));
        matrices.push(text.replaceAll(/"id":"[^"]*",/g, '').replaceAll(`"${prefixOf(rows)}`, '"'));
      }
      expect(matrices[0]).toContain('"service"');
      expect(matrices[1]).toBe(matrices[0]);
    }),
    limits,
  );
});
