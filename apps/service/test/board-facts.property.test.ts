import type { BoardFacts, DeploymentEvent, Status } from '@shiplog/contract';
import { statuses } from '@shiplog/contract';
import { runSql, runs, storedBeneath } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ladderServices } from './support/ladder-services.ts';
import { plainBoardFacts } from './support/plain-board-facts.ts';
import { one, several } from './support/plain-stage.ts';

/** In the second ladder, the name of a stage is an environment in no stage. */
const ladders = [
  [one('dev'), one('Staging'), one('prod')],
  [several('early', ['d*', 'st?ging'], /^(dev|staging)$/i), several('qa', ['PROD'], /^prod$/i)],
  [one('dev'), several('PRE', ['*g'], /^staging$/i), several('live', ['prod', 'qa'], /^(prod|qa)$/i)],
];

const log = ladderServices(ladders);

/** Most deployments are in few places, so that places have enough durations and releases. */
const places = fc.constantFrom(
  ...(['prod', 'prod', 'prod', 'prod', 'dev', 'dev', 'Dev', 'staging', 'STAGING', 'PROD', 'qa'] as const).map(
    (environment) => ['api', environment] as const,
  ),
  ...(['prod', 'dev'] as const).map((environment) => ['web', environment] as const),
);

const usually = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, fc.constantFrom(...others));

/** Times are half a minute away from limits that depend on the current time, because runs can be slow. */
const deployment = fc.record({
  name: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constantFrom('a', 'b')),
  place: places,
  minutesAgo: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom<number[]>(0, 1, 4, 9, 10, 29, 30, 58, 59, 60, 89, 90, 1500, 43_199, 43_200),
    },
    fc.constantFrom<number[]>(-90, -2, -1),
  ),
  steps: fc.array(
    fc.record({
      minutesBefore: fc.constantFrom<number[]>(0, 1, 3, 10, 20, 30),
      micros: usually(0, 1, -1),
      status: fc.constantFrom(...statuses, 'in-progress', 'in-progress', 'success', 'success'),
      elsewhere: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, places),
      // A row arrives this much after it happened, but not after now.
      lagMinutes: usually(0, -200, 1, 59, 3000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  end: fc.constantFrom(undefined, 'success', 'success', 'in-progress'),
  version: fc.constantFrom('1', '2', '3', ''),
  sha: usually('', 'abcd'),
  reporter: fc.constantFrom(undefined, 'one/x', 'two/x'),
  parents: usually<string[] | undefined>(undefined, ['a'], ['nobody'], ['b', 'none']),
});

type Drawn = typeof deployment extends fc.Arbitrary<infer Value> ? Value : never;

/** A deployment of two rows in the place that most others are in. */
const inProd = (minutesAgo: number, minutesBefore: number, status: Status): Drawn => {
  const row = { micros: 0, elsewhere: undefined, lagMinutes: 0 };
  return {
    name: undefined,
    place: ['api', 'prod'],
    minutesAgo,
    steps: [
      { ...row, minutesBefore: 0, status: status === 'success' ? 'queued' : status },
      { ...row, minutesBefore, status },
    ],
    end: undefined,
    version: '1',
    sha: '',
    reporter: undefined,
    parents: undefined,
  };
};

const question = fc.record({
  at: fc.nat(ladders.length - 1),
  drawn: fc.oneof(
    { weight: 2, arbitrary: fc.array(deployment, { maxLength: 6 }) },
    fc.array(deployment, { maxLength: 40, size: 'max' }),
  ),
  ended: fc.array(fc.constantFrom(1, 3, 9, 10, 19, 20, 29, 30), { maxLength: 8, size: 'max' }),
  inProgress: fc.array(fc.constantFrom(1, 9, 10, 19, 20, 29, 30, 59, 60, 89, 90), { maxLength: 2 }),
  services: usually<string | undefined>(undefined, 'api', '*e*'),
  environments: usually<string | undefined>(undefined, 'prod', '*o*'),
});

function rowsOf(drawn: readonly Drawn[], startMs: number): DeploymentEvent[] {
  return drawn.flatMap(({ name, place, minutesAgo, steps, end, ...fields }, index) => {
    let minutes = minutesAgo + steps.reduce((sum, { minutesBefore }) => sum + minutesBefore, 0);
    return steps.map(({ minutesBefore, micros, status, elsewhere, lagMinutes }, at): DeploymentEvent => {
      minutes -= minutesBefore;
      const happenedMs = startMs - minutes * 60_000 - 30_000;
      const arrivedMs = Math.min(happenedMs + lagMinutes * 60_000, startMs - 30_000 - (index % 3) * 60_000);
      const [service, environment] = elsewhere ?? place;
      return {
        id: idOf(arrivedMs, index * 4 + at),
        deployment_id: name ?? `d${index}`,
        service,
        environment,
        status: (at === steps.length - 1 && end) || status,
        happened_at: momentOf(BigInt(happenedMs) * 1000n + BigInt(micros)),
        ...(fields.version && { version: fields.version }),
        ...(fields.sha && { sha: fields.sha }),
        ...(fields.parents && { parent_deployments: fields.parents }),
        ...(fields.reporter && { progress_reporter: fields.reporter }),
      };
    });
  });
}

/** Ids within one millisecond are not in the order of the generated rows. */
function idOf(arrivedMs: number, at: number): string {
  const hex = `${arrivedMs.toString(16).padStart(12, '0')}7${((at * 7) % 16).toString(16)}00a${at.toString(16).padStart(15, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function momentOf(micros: bigint): string {
  const seconds = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}

/** Fills what the tests don't send as the service does: `release`, `reporter` and the latest rows. */
const store = `
  with input as (
    select (event ->> 'id')::uuid as id, event ->> 'deployment_id' as deployment_id, event ->> 'service' as service,
      event ->> 'environment' as environment, event ->> 'status' as status,
      (event ->> 'happened_at')::timestamptz as happened_at, event
    from json_array_elements($1::json) as event
  ), stored as (
    insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, reporter,
      event)
    select id, deployment_id, service, environment, status, happened_at,
      (select array_agg(parent) from json_array_elements_text(event -> 'parent_deployments') as parent),
      coalesce('v' || (event ->> 'version'), 's' || (event ->> 'sha')), event ->> 'progress_reporter', event::text
    from input
  )
  insert into latest_deployments (service, environment, status, happened_at, id)
  select distinct on (service, environment, status) service, environment, status, happened_at, id
  from input order by service, environment, status, happened_at desc, id desc`;

async function storeAll(rows: readonly DeploymentEvent[]): Promise<void> {
  await runSql(log.databaseUrl, 'delete from deployments; delete from latest_deployments');
  await runSql(log.databaseUrl, store, [JSON.stringify(rows)]);
  await runSql(log.databaseUrl, storedBeneath);
}

const takes = (glob: string | undefined, name: string) =>
  glob === undefined || (glob.startsWith('*') ? name.includes(glob.slice(1, -1)) : name === glob);

/** The last digits of minutes depend on the order of the calculation. */
function rounded(facts: Omit<BoardFacts, 'generated_at'>): object {
  return JSON.parse(JSON.stringify(facts), (name, value) =>
    ['p50', 'p95', 'usual_minutes'].includes(name) ? expect.closeTo(value, 9) : value,
  );
}

test('the facts of any log, in any scope, match the model, and an unchanged response has the same ETag and position', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ at, drawn, ended, inProgress, services, environments }) => {
      const client = log.clientAt(at);
      const habit = [
        ...ended.map((minutes, at) => inProd(at % 3 === 2 ? 43_199 + (minutes % 2) : 1500 + at, minutes, 'success')),
        ...inProgress.map((minutes) => inProd(minutes, 1, 'in-progress')),
      ];
      const rows = rowsOf([...drawn, ...habit], Date.now());
      await storeAll(rows);
      const scope = {
        ...(services && { services: [services] }),
        ...(environments && { environments: [environments] }),
      };
      const { body, headers } = await client.getBoardFacts({ query: scope });
      const { generated_at, ...facts } = body;
      const isScoped = services !== undefined || environments !== undefined;
      expect(rounded(facts)).toEqual({
        ...plainBoardFacts({
          rows,
          nowMs: Date.parse(generated_at),
          ladder: ladders[at] ?? [],
          includes: (place) => takes(services, place.service) && takes(environments, place.environment),
        }),
        ...(isScoped && { scope: { services: [], environments: [], ...scope } }),
      });
      const position =
        rows
          .map(({ id }) => id)
          .sort()
          .at(-1) ?? null;
      expect(headers.get('x-stream-position')).toBe(position);
      const again = await client.getBoardFacts({
        query: scope,
        headers: { 'If-None-Match': headers.get('etag') ?? '' },
      });
      expect([again.status, again.headers.get('x-stream-position')]).toEqual([304, position]);
    }),
    { numRuns: runs(60), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
