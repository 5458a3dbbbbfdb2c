import type { DeploymentEvent } from '@shiplog/contract';
import { cloneDatabase, emptyLog, newestFirst, runSql, runs, type TestDatabase } from '@shiplog/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { appendAll } from './support/bulk-append.ts';
import { foldAllOn } from './support/folding.ts';
import { releaseHistory } from './support/release-history.ts';
import { storedEvents } from './support/stored.ts';

let log: TestDatabase;
let database: Database;

beforeAll(async () => {
  log = await cloneDatabase();
  database = new Database(new Servers([{ connectionString: log.url }]), () => undefined);
});

afterAll(async () => {
  await database.stop();
  await log.drop();
});

const histories = fc.array(
  fc.record({ events: releaseHistory, removed: fc.array(fc.nat(200), { maxLength: 9 }), isFolded: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

interface Run {
  readonly place: string;
  readonly value: string;
  readonly first: string;
  readonly last: string;
  readonly ended: string | null;
}

test('the runs are those of the model as events come, late ones too, and go, wherever the folds stand', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      await emptyLog(log.url);
      const ids: string[] = [];
      for (const { events, removed, isFolded } of history) {
        ids.push(...(await appendAll(log.url, events)));
        for (const index of removed) {
          const [id = ''] = ids.splice(index % Math.max(ids.length, 1), 1);
          if (id) await runSql(log.url, 'delete from deployments where id = $1', [id]);
        }
        if (isFolded) await foldAllOn(database);
      }
      await foldAllOn(database);
      const rows = newestFirst(await storedEvents(log.url)).reverse();
      const place = ({ service, environment }: DeploymentEvent) => [service, environment];
      const isFinal = ({ status }: DeploymentEvent) => status === 'success' || status === 'failure';
      const stored = {
        status: await storedRuns('status_runs', ['deployment_id', 'service', 'environment'], 'status'),
        outcome: await storedRuns('outcome_runs', ['service', 'environment'], 'status'),
        release: await storedRuns('release_runs', ['service', 'environment'], 'release'),
      };
      expect(stored).toEqual({
        status: plainRuns(
          rows,
          (row) => [row.deployment_id, ...place(row)],
          ({ status }) => status,
        ),
        outcome: plainRuns(rows.filter(isFinal), place, ({ status }) => status),
        release: plainRuns(
          rows.filter((row) => row.status === 'success' && releaseOf(row) !== undefined),
          place,
          (row) => releaseOf(row) ?? '',
        ),
      });
      const earlier = await runSql<{ first_id: string; earlier_id: string | null }>(
        log.url,
        'select first_id, earlier_id from release_runs order by first_id',
      );
      expect(new Map(earlier.map((row) => [row.first_id, row.earlier_id]))).toEqual(
        new Map(stored.release.map((run, index) => [run.first, earlierOf(stored.release.slice(0, index), run)])),
      );
    }),
    { numRuns: runs(60), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});

function releaseOf({ version, sha }: DeploymentEvent): string | undefined {
  return version ? `v${version}` : sha ? `s${sha}` : undefined;
}

function storedRuns(table: string, place: readonly string[], value: string): Promise<Run[]> {
  return runSql<Run>(
    log.url,
    `select json_build_array(${place.join(', ')})::text as place, ${value} as value, first_id as first, last_id as last,
       ended_id as ended
     from ${table} run order by ${place.map((column) => `${column} collate "C"`).join(', ')}, first_at, first_id`,
  ).then((found) => found.map((run) => ({ ...run, place: JSON.stringify(JSON.parse(run.place)) })));
}

/** `rows` are ordered. */
function plainRuns(
  rows: readonly DeploymentEvent[],
  keyOf: (row: DeploymentEvent) => readonly string[],
  read: (row: DeploymentEvent) => string,
): Run[] {
  const places = new Map<
    string,
    { place: string; value: string; first: string; last: string; ended: string | null }[]
  >();
  for (const row of rows) {
    const place = JSON.stringify(keyOf(row));
    const own = places.get(place) ?? [];
    places.set(place, own);
    const run = own.at(-1);
    if (run?.value === read(row)) run.last = row.id;
    else {
      if (run) run.ended = row.id;
      own.push({ place, value: read(row), first: row.id, last: row.id, ended: null });
    }
  }
  const byPlace = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
    Buffer.compare(Buffer.from(JSON.parse(one).join('\u0000')), Buffer.from(JSON.parse(other).join('\u0000')));
  return [...places].sort(byPlace).flatMap(([, own]) => own);
}

/** The last event of the run before with the same release. */
function earlierOf(before: readonly Run[], { place, value }: Run): string | null {
  return before.findLast((run) => run.place === place && run.value === value)?.last ?? null;
}
