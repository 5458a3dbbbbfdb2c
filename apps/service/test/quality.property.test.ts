import { createClient } from '@shiplog/client';
import { findingKinds, statuses } from '@shiplog/contract';
import {
  cloneDatabase,
  type RunningService,
  runService,
  runSql,
  runs,
  storedBeneath,
  type TestDatabase,
  testKeys,
} from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlainRow, plainEmitters, plainFindings } from './support/plain-quality.ts';

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

/**
 * Times are half a minute away from limits that depend on the current time, because runs can be slow. Other times are
 * at or next to limits.
 */
const drawnRow = fc.record({
  minutesAgo: fc.constantFrom(0, 10, 30, 58, 60, 200, 1400, 1438, 1440, 5000, 9000, 43_000, 43_300),
  backSeconds: fc.integer({ min: 0, max: 20 }),
  lagMinutes: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 1, 9, 10, 20) },
    fc.constantFrom(-5, -6, -90, 59, 60, 1440, 1441, 3000),
  ),
  micros: fc.constantFrom(0, 0, 0, 1, -1),
  deployment: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  service: fc.constantFrom('api', 'api', 'api', 'A-pi', 'web'),
  environment: fc.constantFrom('prod', 'prod', 'prod', 'Pro_duction', 'devel', 'stage'),
  status: fc.constantFrom(...statuses, 'queued' as const),
  reporter: fc.constantFrom(null, 'one/x', 'two/x'),
  parents: fc.constantFrom([], [], ['a'], ['nobody'], ['b', 'none']),
  released: fc.integer({ min: 0, max: 15 }).map((at) => at === 0),
});

const question = fc.record({
  drawn: fc.array(drawnRow, { minLength: 0, maxLength: 60, size: 'max' }),
  services: fc.option(fc.constantFrom('api', '*p*'), { nil: undefined }),
  environments: fc.option(fc.constantFrom('prod', '*d*'), { nil: undefined }),
  limit: fc.constantFrom(1, 2, 100),
});

type Drawn = typeof drawnRow extends fc.Arbitrary<infer Row> ? Row : never;

function placed(drawn: Drawn, at: number, startMs: number): PlainRow {
  const arrivedMs = startMs - drawn.minutesAgo * 60_000 - 30_000 - drawn.backSeconds * 1000;
  const happenedMicros = BigInt(arrivedMs - drawn.lagMinutes * 60_000) * 1000n + BigInt(drawn.micros);
  // Ids within one millisecond are not in the order of the generated rows.
  const hex = `${arrivedMs.toString(16).padStart(12, '0')}7${((at * 7) % 16).toString(16)}00a${at.toString(16).padStart(15, '0')}`;
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const { deployment, status, reporter, parents, released } = drawn;
  return {
    id,
    arrivedMs,
    happenedMicros,
    deployment,
    service: drawn.service,
    environment: drawn.environment,
    status,
    reporter,
    parents,
    released,
  };
}

const store = `
  with input as (
    select * from json_to_recordset($1::json) as row (id uuid, deployment_id text, service text, environment text,
      status text, happened_at timestamptz, parents text[], release text, reporter text, event text)
  ), stored as (
    insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, reporter,
      event)
    select * from input
  )
  insert into latest_deployments (service, environment, status, happened_at, id)
  select distinct on (service, environment, status) service, environment, status, happened_at, id
  from input order by service, environment, status, happened_at desc, id desc`;

async function storeAll(rows: readonly PlainRow[]): Promise<void> {
  await runSql(database.url, 'delete from deployments; delete from latest_deployments');
  const input = rows.map(
    ({ id, happenedMicros, deployment, service, environment, status, reporter, parents, released }) => {
      const seconds = new Date(Number(happenedMicros / 1_000_000n) * 1000).toISOString().slice(0, 19);
      const happened_at = `${seconds}.${String(happenedMicros % 1_000_000n).padStart(6, '0')}Z`;
      const event = JSON.stringify({ id, ...(reporter !== null && { progress_reporter: reporter }) });
      const list = parents.length === 0 ? null : parents;
      return {
        id,
        deployment_id: deployment,
        service,
        environment,
        status,
        happened_at,
        parents: list,
        release: released ? 'v1' : null,
        reporter,
        event,
      };
    },
  );
  await runSql(database.url, store, [JSON.stringify(input)]);
  await runSql(database.url, storedBeneath);
}

const takes = (glob: string | undefined, name: string) =>
  glob === undefined || (glob.startsWith('*') ? name.includes(glob.slice(1, -1)) : name === glob);

test('reporters and findings for any log and scope match the model, on pages of any size', {
  timeout: 600_000,
}, async () => {
  const client = createClient({ baseUrl: service.url, keys: testKeys });
  await fc.assert(
    fc.asyncProperty(question, async ({ drawn, services, environments, limit }) => {
      const startMs = Date.now();
      const rows = drawn.map((row, at) => placed(row, at, startMs));
      await storeAll(rows);
      const scope = {
        ...(services && { services: [services] }),
        ...(environments && { environments: [environments] }),
      };
      const { body } = await client.getQuality({ query: { ...scope, limit: 500 } });
      const nowMs = Date.parse(body.generated_at);
      expect(body.emitters).toEqual(plainEmitters(rows, nowMs));
      const due = plainFindings(
        rows,
        nowMs,
        (row) => takes(services, row.service) && takes(environments, row.environment),
      );
      const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
      const said = body.findings.map(({ detail: _, kind, service, environment, count, event_id, ...more }) => ({
        kind,
        service,
        environment,
        count,
        event_id,
        ...more,
      }));
      expect(said.toSorted(byText)).toEqual(due.toSorted(byText));
      const order = said.map(({ kind, count }) => [findingKinds.indexOf(kind), -count] as const);
      expect(order).toEqual(order.toSorted(([kind, count], [other, less]) => kind - other || count - less));
      for (const kind of findingKinds) expect(body.counts[kind]).toBe(due.filter((one) => one.kind === kind).length);
      const history = due.filter(({ count, before_reporter }) => count === before_reporter).length;
      expect(body.late_before_reporters ?? 0).toBe(history);
      const paged: typeof body.findings = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page: typeof body = (await client.getQuality({ query: { ...scope, limit, ...(cursor && { cursor }) } }))
          .body;
        paged.push(...page.findings);
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(body.findings);
    }),
    { numRuns: runs(15), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
