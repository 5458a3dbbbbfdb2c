import { emptyLog, runService, runSql, runs, until } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { pruneEvents } from '../src/db/retention.ts';
import { Servers } from '../src/db/servers.ts';
import { drawnEvent, placed } from './support/analytics-history.ts';
import { appendAll } from './support/bulk-append.ts';
import { type Asked, ask, FreshAnswers, names, promotionOrder, retentionDays } from './support/kept.ts';
import { type LeverDatabase, leverDatabase, withLevers } from './support/levers.ts';
import { readCounts } from './support/questions.ts';
import { requestReset } from './support/reset.ts';
import { openPair } from './support/standby.ts';
import { countStored } from './support/stored.ts';

const dayMs = 86_400_000;

/** Few slots and few deployments, so that later rows often affect earlier ones. */
const anywhere = fc
  .tuple(drawnEvent, fc.constantFrom('PROD', 'PROD', 'staging'))
  .map(([drawn, environment]) => ({ ...drawn, environment }));
const deployments = ['a', 'b', 'c', 'd', 'nobody'];
/** Successes around the end of the window that have each other as parents. */
const chained = fc
  .tuple(
    anywhere,
    fc.constantFrom(...deployments),
    fc.uniqueArray(fc.constantFrom(...deployments), { maxLength: 2 }),
    fc.constantFrom(-3000, -600, -60, 30, 90, 600),
  )
  .map(([drawn, deployment, parents, minutes]) => ({
    ...drawn,
    ...{ deployment, parents, status: 'success' as const },
    moment: { ...drawn.moment, anchor: 'to' as const, minutes: minutes as never },
  }));
const event = fc.oneof(anywhere, chained);
const few = fc.array(event, { minLength: 1, maxLength: 2 });

const step = fc.oneof(
  { weight: 8, arbitrary: few.map((events) => ({ do: 'append' as const, events })) },
  { weight: 2, arbitrary: fc.constantFrom(1, 24, 30).map((hours) => ({ do: 'pass' as const, hours })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 7 }).map((days) => ({ do: 'prune' as const, days })) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' as const }) },
);

const history = fc.record({
  before: fc.array(event, { minLength: 4, maxLength: 20, size: 'max' }),
  steps: fc.array(fc.record({ step, instance: fc.nat(1) }), { minLength: 3, maxLength: 8, size: 'max' }),
  period: fc.constantFrom('window', 'window', 'days', 'with-today', 'within-hours'),
  scope: fc.constantFrom<Asked>({}, {}, { services: ['a*'] }, { environments: ['PROD'], services: ['api', 'we?'] }),
});

function periodOf(name: string, todayMs: number): Asked {
  const at = (days: number, ms = 0) => new Date(todayMs + days * dayMs + ms).toISOString();
  switch (name) {
    case 'days':
      return { from: at(-5), to: at(-1) };
    case 'with-today':
      return { from: at(-3), to: at(1) };
    case 'within-hours':
      return { from: at(-4, 1_234_567), to: at(0, -1_234_567) };
    default:
      return { window: '7d' };
  }
}

interface Place {
  readonly name: string;
  readonly samples: number;
  /** A migrated database with levers, and the URL of the standby if there is one. */
  readonly open: () => Promise<{
    readonly database: Pick<LeverDatabase, 'url' | 'offsetClock'>;
    readonly readDatabaseUrl?: string;
  }>;
}

const places: readonly Place[] = [
  { name: 'on one server', samples: 5, open: async () => ({ database: await leverDatabase() }) },
  {
    name: 'with a standby',
    samples: 2,
    open: async () => {
      const pair = await openPair();
      await migrate({ connectionString: pair.primaryUrl });
      const database = await withLevers({ url: pair.primaryUrl });
      await pair.caughtUp();
      return { database, readDatabaseUrl: pair.standbyUrl };
    },
  },
];

test.each(places)(
  'a cached result equals a fresh computation after any addition, removal or expiry, $name',
  {
    timeout: 600_000,
  },
  async ({ samples, open }) => {
    const { database, readDatabaseUrl } = await open();
    const analytics = { promotionOrder, granularity: 'day' } as const;
    const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
    const config = { analytics, historyRetentionDays: retentionDays, reset, readDatabaseUrl };
    const times = { standbyCooldownMs: 1, standbyProbeMs: 20 };
    const services = await Promise.all([1, 2].map(() => runService({ databaseUrl: database.url, config, times })));
    const writer = new Database(new Servers([{ connectionString: database.url }]), () => undefined);
    const fresh = new FreshAnswers(database.url);

    /** Checks that each instance returns the current result, including for a request with an earlier ETag. */
    async function expectFresh(instance: number, query: Asked, said: Map<string, string>): Promise<void> {
      const url = services[instance]?.url ?? '';
      const questions = [
        ...names.map((name) => [name, query] as const),
        ['getDora', { ...query, compare: 'previous' }] as const,
      ];
      for (const [name, asked] of questions) {
        const key = JSON.stringify([name, asked]);
        const known = said.get(key);
        const answer = await ask(url, name, asked, known);
        const due = await fresh.answer(name, asked);
        expect({ name, etag: answer.etag }).toEqual({ name, etag: due.etag });
        expect({ name, json: answer.json }).toEqual({ name, json: due.etag === known ? '' : due.json });
        expect(answer.status).toBe(due.etag === known ? 304 : 200);
        said.set(key, due.etag);
      }
    }

    const steps = {
      append: async ({ events }: { events: Parameters<typeof placed>[0][] }, window: Parameters<typeof placed>[1]) => {
        await appendAll(
          database.url,
          events.map((one) => placed(one, window)),
        );
      },
      pass: async ({ hours }: { hours: number }) => {
        await runSql(
          database.url,
          'update levers.settings set clock_offset = clock_offset + make_interval(hours => $1)',
          [hours],
        );
      },
      prune: async ({ days }: { days: number }) => {
        await writer.writes.session((session) => pruneEvents(session, { retentionDays: days, rowsMax: 2 }));
      },
      reset: async () => {
        await requestReset(services[0]?.url ?? '');
        await until(async () => (await runSql(database.url, `select from reset where state = 'idle'`)).length > 0);
        expect(await countStored(database.url)).toBe(0);
      },
    };

    await fc.assert(
      fc.asyncProperty(history, async ({ before, steps: drawn, period, scope }) => {
        await emptyLog(database.url);
        await database.offsetClock(0);
        const { json } = await ask(services[0]?.url ?? '', 'getFrequency', { window: '7d' });
        const { window } = JSON.parse(json);
        await appendAll(
          database.url,
          before.map((one) => placed(one, window)),
        );
        const query = { ...periodOf(period, Date.parse(window.to)), ...scope };
        const said = new Map<string, string>();
        await expectFresh(0, query, said);
        for (const { step, instance } of drawn) {
          await steps[step.do](step as never, window);
          await expectFresh(instance, query, said);
        }
      }),
      { numRuns: runs(samples), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
    for (const { url } of services) {
      if (readDatabaseUrl === undefined) expect((await readCounts(url)).standby).toBe(0);
      // In some runs an instance has not read anything, or its standby was always behind.
      let asked = 0;
      await until(async () => {
        await ask(url, 'getDora', { window: '7d', services: `asked-${asked++}` });
        return (await readCounts(url)).standby > 0 || readDatabaseUrl === undefined;
      });
    }
    await Promise.all([...services, fresh, writer].map((part) => part.stop()));
  },
);
