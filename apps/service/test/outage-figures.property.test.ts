import type { AnyEvidenceReport, DeploymentEvent, OutageRequest } from '@shiplog/contract';
import { anEvent, clientOf, inGroups, postStored, runSql, testDatabase, testService } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLinks, plainObserved } from './support/plain-observed.ts';
import { removeEvent } from './support/removing.ts';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const instant = (halfHour: number) => new Date(today - 4 * dayMs + halfHour * 1_800_000).toISOString();

const halfHour = fc.integer({ min: 0, max: 150 });
const environment = fc.constantFrom('prod', 'prod', 'PROD', 'staging');
const event = fc.record({
  halfHour,
  environment,
  service: fc.nat({ max: 1 }),
  deployment: fc.nat({ max: 9 }),
  status: fc.constantFrom('success', 'success', 'success', 'failure', 'in-progress'),
  release: fc.constantFrom(
    { version: '1' },
    { version: '2' },
    { version: '3', sha: 'abc1234' },
    { sha: 'abc1234' },
    {},
  ),
});
const cause = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ caused_by: fc.record({ deployment_id: fc.nat({ max: 11 }).map(String) }) }),
  fc.record({
    caused_by: fc.record({ service: fc.nat({ max: 1 }).map(String), version: fc.constantFrom('1', '2', 'abc1234') }),
  }),
  fc.record({ not_by_deployment: fc.boolean() }),
);
const outage = fc.record({
  places: fc.constantFrom([0], [1], [0, 1], []),
  environments: fc.option(fc.uniqueArray(environment, { maxLength: 2 })),
  cause,
  rows: fc.uniqueArray(
    fc.record({ halfHour, state: fc.constantFrom('opened', 'opened', 'resolved', 'resolved', 'dismissed') }),
    { minLength: 1, maxLength: 3, selector: (row) => row.halfHour },
  ),
});
const hold = fc.record({
  halfHour,
  version: fc.constantFrom('1', '2', 'abc1234'),
  environments: fc.constantFrom('*', 'prod'),
  isOfBoth: fc.boolean(),
  isReleased: fc.boolean(),
});
const history = fc.record({
  events: fc.array(event, { minLength: 4, maxLength: 30 }),
  outages: fc.array(outage, { maxLength: 5 }),
  holds: fc.array(hold, { maxLength: 2 }),
  /** How many events are stored before the outages are linked for the first time. */
  before: fc.nat({ max: 10 }),
  /** The event that is removed at the end. */
  removed: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.nat()),
  suspected: fc.constantFrom(undefined, 'count' as const),
  span: fc.tuple(halfHour, fc.integer({ min: 1, max: 150 })),
});

test('the figures about outages and their evidence are those of the plain model', { timeout: 240_000 }, async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  const stored: DeploymentEvent[] = [];
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ events, outages, holds, before, removed, suspected, span }) => {
      const [from, length] = span;
      run += 1;
      const serviceOf = (index: number | string) => `run-${run}-${index}`;
      const post = (some: typeof events) =>
        inGroups(some, async ({ halfHour, environment, service, deployment, status, release }) => {
          const row = { environment, service: serviceOf(service), status, ...release } as Partial<DeploymentEvent>;
          const sent = { ...row, happened_at: instant(halfHour), deployment_id: `run-${run}-${deployment}` };
          stored.push(await postStored(url, anEvent(sent)));
        });
      await post(events.slice(0, before));
      for (const [index, { places, environments, cause, rows }] of outages.entries()) {
        for (const { halfHour, state } of rows) {
          const named = causeOf(cause, serviceOf);
          const body = {
            ...{ source: 'test', outage_id: `run-${run}-${index}`, state, happened_at: instant(halfHour) },
            ...{ services: places.map(serviceOf), environments, ...named },
          } as OutageRequest;
          await client.appendOutage({ body });
        }
      }
      for (const { halfHour, version, environments, isOfBoth, isReleased } of holds) {
        const services = isOfBoth ? [serviceOf(0), serviceOf(1)] : [serviceOf(0)];
        const body = { kind: 'bad' as const, services, environments: [environments], version, reason: 'it fails' };
        const { id } = (await client.makeHold({ body })).body;
        await runSql(databaseUrl, `update holds set created_at = '${instant(halfHour)}' where id = '${id}'`);
        if (isReleased) await client.releaseHold({ params: { id } });
      }
      await client.getOutageFigures({ query: { window: '7d' } });
      await post(events.slice(before));
      if (removed !== null) {
        const [gone] = stored.splice(removed % stored.length, 1);
        expect(await removeEvent(url, gone?.id ?? '')).toBe(204);
      }
      const known = (await allOutages(client)).map(({ links, reason, ...one }) => ({ ...one, links, reason }));
      for (const one of known) {
        const due = plainLinks(one, stored);
        const told = one.reason ?? one.links.map(({ rule, event_id }) => [rule, event_id]);
        expect(told).toEqual(typeof due === 'string' ? due : due.map(({ rule, row }) => [rule, row.id]));
      }
      const bad = (await client.listHolds({ query: { from: instant(0), to: instant(300), kind: ['bad'], limit: 500 } }))
        .body;
      const period = { from: instant(from), to: instant(Math.min(from + length, 240)) };
      for (const service of [undefined, serviceOf(0)]) {
        const query = { ...period, ...(service && { services: [service] }), ...(suspected && { suspected }) };
        const { body } = await client.getOutageFigures({ query });
        const window = { ...body.window, isPeriod: true };
        const due = plainObserved({
          ...{ rows: stored, outages: known, window, service },
          holds: bad.items.filter(({ released }) => released === null),
          countsSuspected: suspected === 'count',
        });
        const { count, linked, suspected: suspects, unlinked } = body.outages;
        expect({
          rate: body.change_failure_rate_observed.value,
          restore: body.time_to_restore_observed.value,
          detect: body.time_to_detect.value,
          counts: {
            ...{ count, linked, suspected: suspects },
            reasons: unlinked.flatMap(({ reason, count }) => Array<string>(count).fill(reason)).sort(),
          },
        }).toEqual({ rate: due.rate, restore: due.restore, detect: due.detect, counts: due.counts });

        const rate = await evidence(client, 'change_failure_rate_observed', query);
        expect(rate.value).toBe(due.rate);
        expect(
          rate.items.map(({ outages, holds, ...item }) => ({
            ...item,
            outages: outages?.map(({ outage_id }) => outage_id).sort(),
            holds: holds?.toSorted(),
          })),
        ).toEqual(due.rateItems);
        for (const [figure, value, items] of [
          ['time_to_restore_observed', due.restore, due.restoreItems],
          ['time_to_detect', due.detect, due.detectItems],
        ] as const) {
          const said = await evidence(client, figure, query);
          expect(said.value).toBe(value);
          const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
          const told = said.items.map(({ outage, value, reason, event_ids }) => ({
            ...{ id: outage?.outage_id ?? '', value, reason },
            ...(figure === 'time_to_detect' && { event_ids }),
          }));
          expect(told.toSorted(byId)).toEqual(items.toSorted(byId));
          const counted = said.items.filter((item) => item.counted).length;
          expect(said.counted).toBe(counted);
          expect(said.left_out.reduce((sum, { count }) => sum + count, 0)).toBe(said.items.length - counted);
          const order = said.items.map(({ at }) => at);
          expect(order).toEqual(order.toSorted().reverse());
        }
      }
    }),
    { numRuns: 20 },
  );
});

function causeOf(cause: object, serviceOf: (index: string) => string): object {
  if (!('caused_by' in cause)) return cause;
  const { deployment_id, service, version } = cause.caused_by as Record<string, string>;
  return deployment_id === undefined
    ? { caused_by: { service: serviceOf(String(service)), version } }
    : { caused_by: { deployment_id: serviceOf(deployment_id) } };
}

type TestClient = ReturnType<typeof clientOf>;

async function allOutages(client: TestClient) {
  const items = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await client.listOutages({ query: { limit: 500, ...(cursor && { cursor }) } });
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return items;
}

/** All items, three at a time. */
async function evidence(client: TestClient, figure: AnyEvidenceReport['figure'], query: object) {
  const ask = async (cursor: string | null) =>
    (await client.getEvidence({ params: { figure }, query: { ...query, limit: 3, ...(cursor && { cursor }) } })).body;
  const first = await ask(null);
  const items = [...first.items];
  for (let next = first.next_cursor; next !== null; ) {
    const page = await ask(next);
    expect({ ...page, items: [], next_cursor: null }).toEqual({ ...first, items: [], next_cursor: null });
    items.push(...page.items);
    next = page.next_cursor;
  }
  return { ...first, items };
}
