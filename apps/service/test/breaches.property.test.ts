import type { Breach, DeploymentEvent } from '@shiplog/contract';
import { anEvent, clientOf, inGroups, postStored, runSql, testDatabase, testService } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
/** Half hours since eight days ago. */
const instant = (halfHour: number) =>
  new Date(today - 8 * dayMs + halfHour * 1_800_000).toISOString().replace('.000', '');

// So few half hours that events fall exactly on the bounds of holds.
const halfHour = fc.integer({ min: 0, max: 20 });
const event = fc.record({
  halfHour,
  service: fc.constantFrom('pay-api', 'ledger'),
  environment: fc.constantFrom('prod', 'Prod', 'staging'),
  deployment: fc.nat({ max: 1 }),
  status: fc.constantFrom('pending', 'in-progress', 'in-progress', 'success', 'success', 'failure', 'cancelled'),
  release: fc.constantFrom({ version: '1' }, { version: '2', sha: 'abc1234' }, { sha: 'abc1234' }, {}),
});
const span = fc.tuple(halfHour, fc.integer({ min: 3, max: 12 }));
const services = fc.constantFrom(['*'], ['pay-*'], ['ledger', 'pay-api']);
const hold = fc.record({
  span,
  services,
  environments: fc.constantFrom(['prod'], ['prod', 'Prod'], ['*']),
  kind: fc.constantFrom('freeze', 'lock', 'bad'),
  version: fc.constantFrom('1', '2', 'abc1234'),
  releasedAt: fc.option(halfHour, { freq: 4 }),
  exceptions: fc.array(fc.record({ span, services }), { maxLength: 2 }),
});
type GivenHold = typeof hold extends fc.Arbitrary<infer Given> ? Given : never;

const history = fc.record({
  events: fc.array(event, { minLength: 20, maxLength: 40 }),
  holds: fc.array(hold, { minLength: 1, maxLength: 5 }),
  period: span,
});

type Known = GivenHold & { readonly id: string };

/** The breaches as defined by holds.md 2.2 and 6.8 to 6.10, place by place. */
function plainBreaches(holds: readonly Known[], rows: readonly DeploymentEvent[], from: string, to: string): Breach[] {
  const places = new Map<string, DeploymentEvent[]>();
  for (const row of rows) {
    const place = JSON.stringify([row.deployment_id, row.service, row.environment]);
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const breaches: Breach[] = [];
  for (const all of places.values()) {
    const sorted = all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    const begun =
      sorted.find(({ status }) => status === 'in-progress') ??
      sorted.find(({ status }) => status === 'success' || status === 'failure');
    if (!begun || begun.happened_at < from || begun.happened_at >= to) continue;
    for (const each of holds) if (isBreach(each, begun)) breaches.push(breachOf(each, begun));
  }
  const key = ({ at, event_id, hold_id }: Breach) => `${at} ${event_id} ${hold_id}`;
  return breaches.sort((one, other) => (key(one) < key(other) ? 1 : -1));
}

function isBreach(
  { span: [at, length], kind, version, releasedAt, exceptions, ...where }: Known,
  begun: DeploymentEvent,
) {
  const isWithin = (first: number, last: number) =>
    instant(first) <= begun.happened_at && begun.happened_at < instant(last);
  const last = releasedAt === null ? at + length : Math.min(at + length, releasedAt);
  const fits = (globs: readonly string[], name: string) =>
    globs.some((glob) => glob === '*' || glob === name || (glob === 'pay-*' && name.startsWith('pay-')));
  if (!isWithin(at, last)) return false;
  if (!fits(where.services, begun.service) || !fits(where.environments, begun.environment)) return false;
  if (kind === 'bad' && begun.version !== version && begun.sha !== version) return false;
  return !exceptions.some(
    (one) => isWithin(one.span[0], one.span[0] + one.span[1]) && fits(one.services, begun.service),
  );
}

function breachOf(
  { id, kind }: Known,
  { id: event_id, service, environment, deployment_id, happened_at: at }: DeploymentEvent,
) {
  return { hold_id: id, kind, service, environment, deployment_id, event_id, at } as Breach;
}

const keyOf = ({ happened_at, id }: DeploymentEvent) => `${happened_at} ${id}`;

test('breaches are those of the plain model, page by page', { timeout: 240_000 }, async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ events, holds, period: [first, length] }) => {
      run += 1;
      await runSql(databaseUrl, 'delete from holds');
      const rows: DeploymentEvent[] = [];
      await inGroups(events, async ({ halfHour: at, deployment, release, ...place }) => {
        const sent = { ...place, ...release, happened_at: instant(at), deployment_id: `run-${run}-${deployment}` };
        rows.push(await postStored(url, anEvent(sent as Partial<DeploymentEvent>)));
      });
      const known: Known[] = [];
      for (const given of holds) known.push({ ...given, id: await store(databaseUrl, given) });
      const [from, to] = [instant(first), instant(first + length)];
      const due = plainBreaches(known, rows, from, to);
      const told: Breach[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const { body } = await client.listBreaches({ query: { from, to, limit: 3, ...(cursor && { cursor }) } });
        expect(body.items.length).toBeLessThanOrEqual(3);
        told.push(...body.items);
        cursor = body.next_cursor;
      }
      expect(told.filter(({ deployment_id: id }) => id.startsWith(`run-${run}-`))).toEqual(due);
    }),
    { numRuns: 25 },
  );
});

/** Stores a hold as if it had been made in the past. Returns its id. */
async function store(
  databaseUrl: string,
  { span: [at, length], kind, version, releasedAt, exceptions, ...where }: GivenHold,
) {
  const list = (names: readonly string[]) => `array[${names.map((name) => `'${name}'`).join(', ')}]`;
  const id = crypto.randomUUID();
  await runSql(
    databaseUrl,
    `insert into holds (id, kind, services, environments, version, begins_at, ends_at, reason, created_at)
     values ('${id}', '${kind}', ${list(where.services)}, ${list(where.environments)},
       ${kind === 'bad' ? `'${version}'` : 'null'}, '${instant(at)}', '${instant(at + length)}', 'why', '${instant(at)}')`,
  );
  if (releasedAt !== null) {
    await runSql(databaseUrl, `insert into hold_releases (hold_id, at) values ('${id}', '${instant(releasedAt)}')`);
  }
  for (const exception of exceptions) {
    const [begin, hours] = exception.span;
    await runSql(
      databaseUrl,
      `insert into hold_exceptions (id, hold_id, services, until, reason, created_at)
       values ('${crypto.randomUUID()}', '${id}', ${list(exception.services)}, '${instant(begin + hours)}', 'why', '${instant(begin)}')`,
    );
  }
  return id;
}

test('a page of breaches misses none, even if a hold of the previous page is released', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const client = clientOf(url);
  const hold = (services: string[]) =>
    client.makeHold({
      body: {
        kind: 'freeze',
        services,
        environments: ['*'],
        until: new Date(Date.now() + dayMs).toISOString(),
        reason: 'x',
      },
    });
  const first = (await hold(['a'])).body;
  const { from } = (await hold(['b'])).body;
  for (const service of ['b', 'b', 'a', 'a']) {
    await postStored(url, anEvent({ service, happened_at: from }));
  }
  const page = async (cursor?: string) =>
    (await client.listBreaches({ query: { limit: 2, ...(cursor && { cursor }) } })).body;
  const { items, next_cursor } = await page();
  expect(items.map(({ service }) => service)).toEqual(['a', 'a']);
  await runSql(databaseUrl, `delete from holds where id = '${first.id}'`);
  expect((await page(next_cursor ?? '')).items.map(({ service }) => service)).toEqual(['b', 'b']);
});
