import type { EnvironmentsDiff } from '@shiplog/contract';
import { expect } from 'vitest';
import { bodyOf, type EventFields, withQuery } from '../support/api.ts';
import { type DatedLog, dated } from '../support/arrival.ts';
import { suite } from '../support/suite.ts';

const place = { service: 'pay', environment: 'prod' };
const day = 24 * 60;

/** Stores a success of a release. */
function success(log: DatedLog, environment: string, version: string, minutesAgo: number, fields: EventFields = {}) {
  return log.append({ ...place, environment, version, happened_at: log.ago(minutesAgo), ...fields });
}

/** The places that are behind: environment, the environment that is ahead, number of releases, since. */
async function behindOf(log: DatedLog) {
  const { places } = await log.facts();
  const listed: [string, string, number, string][] = [];
  for (const { service, environment, behind } of places) {
    if (!behind) continue;
    listed.push([environment, behind.of, behind.count, behind.since]);
    const path = withQuery('/api/environments/diff', { from: behind.of, to: environment, services: service });
    const [item] = bodyOf<EnvironmentsDiff>(await log.get(path)).items;
    expect(item).toMatchObject({ relation: 'ahead', behind: behind.count, since: behind.since });
  }
  return listed;
}

suite('questions board facts: places that are behind, hidden or have findings', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§1.4: a place is behind the stage before it by the releases that succeeded there since, as in environments/diff',
    dated(api, async (log) => {
      await success(log, 'dev', '1', 90);
      await success(log, 'dev', '2', 80);
      await success(log, 'dev', '3', 70);
      await success(log, 'dev', '2', 60);
      await success(log, 'dev', '4', 50, { status: 'failure' });
      await success(log, 'staging', '1', 85);
      // Environments outside the ladder are never behind.
      await success(log, 'edge', '1', 85);
      expect(await behindOf(log)).toEqual([['staging', 'dev', 2, log.ago(80)]]);
      await success(log, 'staging', '2', 40);
      expect(await behindOf(log)).toEqual([]);
    }),
  );

  testOwnInstance(
    '§1.4, §3.6: a place compares with the nearest earlier stage that has a success of the service, and with no other',
    dated(api, async (log) => {
      await success(log, 'dev', '1', 90);
      await success(log, 'dev', '2', 80);
      await success(log, 'staging', '2', 70, { status: 'failure' });
      await success(log, 'preprod', '2', 70, { service: 'shop' });
      await success(log, 'prod', '1', 60);
      expect(await behindOf(log)).toEqual([['prod', 'dev', 1, log.ago(80)]]);
      await success(log, 'qa', '1', 65);
      expect(await behindOf(log)).toEqual([['qa', 'dev', 1, log.ago(80)]]);
      await success(log, 'qa', '2', 40);
      await success(log, 'preprod', '1', 50);
      await success(log, 'prod', '0', 30);
      // Production has a different release than the stage before it, but the two have diverged.
      expect(await behindOf(log)).toEqual([['preprod', 'qa', 1, log.ago(40)]]);
    }),
  );

  testOwnInstance(
    '§3.6: a place without a success is not behind',
    dated(api, async (log) => {
      await success(log, 'dev', '1', 90);
      await success(log, 'dev', '2', 80);
      await success(log, 'staging', '1', 85, { status: 'failure' });
      await success(log, 'prod', '1', 85, { status: 'in-progress' });
      expect(await behindOf(log)).toEqual([]);
      await success(log, 'prod', '1', 86);
      expect(await behindOf(log)).toEqual([['prod', 'dev', 1, log.ago(80)]]);
    }),
  );

  testOwnInstance(
    '§3.6: environments are stages ignoring case, and of several spellings, the one with the latest success counts',
    dated(api, async (log) => {
      await success(log, 'dev', '1', 90);
      await success(log, 'DEV', '1', 91);
      await success(log, 'DEV', '2', 80);
      await success(log, 'dev', '3', 79);
      await success(log, 'Prod', '1', 70);
      await success(log, 'prod', '1', 71);
      expect(await behindOf(log)).toEqual([
        ['Prod', 'dev', 1, log.ago(79)],
        ['prod', 'dev', 1, log.ago(79)],
      ]);
      await success(log, 'DEV', '4', 60);
      expect(await behindOf(log)).toEqual([
        ['Prod', 'DEV', 2, log.ago(80)],
        ['prod', 'DEV', 2, log.ago(80)],
      ]);
      // Equal times: the greater id is the latest. A failure isn't a success.
      await success(log, 'dev', '5', 60);
      await success(log, 'DEV', '6', 50, { status: 'failure' });
      expect(await behindOf(log)).toEqual([
        ['Prod', 'dev', 2, log.ago(79)],
        ['prod', 'dev', 2, log.ago(79)],
      ]);
    }),
  );

  testOwnInstance(
    '§1.5, §3.7: a row dated more than 60 s ahead hides the latest effective row that arrived after it',
    dated(api, async (log) => {
      const hidden = async () => (await log.factsOf(place))?.hidden ?? null;
      const row = (minutesAgo: number, fields: EventFields = {}) =>
        log.append({ ...place, happened_at: log.ago(minutesAgo), ...fields });
      await row(5);
      await row(-1.5);
      expect(await hidden()).toBeNull();
      const waiting = await row(20, { status: 'waiting' });
      expect(await hidden()).toEqual({ event: waiting });
      await row(30, { status: 'queued' });
      expect(await hidden()).toEqual({ event: waiting });
      const failed = await row(40, { status: 'failure', actor: 'Ann' });
      expect(await hidden()).toEqual({ event: failed });
      const latest = await row(39, { status: 'in-progress' });
      await row(50);
      expect(await hidden()).toEqual({ event: latest });
      // Rows with the same or a later time are not hidden.
      const ahead = await row(-1.5);
      expect(await hidden()).toBeNull();
      const dated = await log.append({ ...place, status: 'cancelled', happened_at: ahead.happened_at });
      expect(dated.happened_at).toBe(ahead.happened_at);
      expect(await hidden()).toBeNull();
      await row(-1, { status: 'queued' });
      expect((await hidden())?.event).toMatchObject({ status: 'queued' });
    }),
  );

  testOwnInstance(
    '§3.7: a row dated less than 60 s ahead, or one that is not effective, hides nothing',
    dated(api, async (log) => {
      const row = (minutesAgo: number, fields: EventFields = {}) =>
        log.append({ ...place, happened_at: log.ago(minutesAgo), ...fields });
      await row(-100, { status: 'cancelled' });
      await row(-0.5);
      await row(5);
      expect((await log.factsOf(place))?.hidden ?? null).toBeNull();
      // Rows of another place are not hidden either.
      await row(-100, { environment: 'dev' });
      expect((await log.factsOf({ ...place, environment: 'dev' }))?.hidden ?? null).toBeNull();
    }),
  );

  testOwnInstance(
    '§1.6, §3.8: findings are those of the quality report with a service and an environment, in its order of kinds',
    dated(api, async (log) => {
      const reporter = 'a/x';
      const row = (fields: EventFields, minutesAgo = 200) =>
        log.append({ ...place, deployment_id: 'one', status: 'queued', ...fields }, { minutesAgo, reporter });
      for (const at of [0, 1, 2, 3]) await row({ happened_at: log.ago(200 + at) });
      await row({ happened_at: log.ago(2 * day) }, 199);
      await row({ happened_at: log.ago(100), deployment_id: 'two', status: 'success' });
      await row({ environment: 'dev', parent_deployments: ['nobody'], deployment_id: 'three' });
      await row({ environment: 'Dev', deployment_id: 'four', status: 'success' });
      for (const at of [1, 2, 3, 4, 5]) await row({ happened_at: log.ago(250), deployment_id: `more-${at}` });
      const { places } = await log.facts();
      const { findings } = await log.read();
      const kinds = [...new Set(findings.map(({ kind }) => kind))];
      expect(kinds).toEqual(['future', 'late', 'stuck', 'unknown-parent', 'duplicate', 'look-alike', 'unversioned']);
      const told = places.flatMap(({ service, environment, findings: own }) =>
        own.map(({ kind, count }) => ({ kind, service, environment, count })),
      );
      const due = findings.flatMap(({ kind, service, environment, count }) =>
        service !== null && environment !== null ? [{ kind, service, environment, count }] : [],
      );
      expect(new Set(told)).toEqual(new Set(due));
      expect(told).toHaveLength(due.length);
      for (const { findings: own } of places) {
        expect(own.map(({ kind }) => kind)).toEqual(kinds.filter((kind) => own.some((one) => one.kind === kind)));
      }
    }),
  );

  testOwnInstance(
    '§1.6, §3.8: emitters are the silent reporters of the quality report, in its order',
    dated(api, async (log) => {
      const store = async (reporter: string, last: number, interval: number) => {
        for (const back of [3, 2, 1, 0]) {
          await log.append({ ...place }, { minutesAgo: last + back * interval, reporter });
        }
      };
      await store('b/x', day + 1, 10);
      await store('z/x', 5 * 400 + 1, 400);
      await store('today/x', day - 1, 10);
      await store('slow/x', 5 * 400 - 1, 400);
      await log.append({ ...place }, { minutesAgo: 100 * day, reporter: 'once/x' });
      const { emitters } = await log.facts();
      expect(emitters).toEqual([
        { reporter: 'b/x', last_at: log.ago(day + 1).replace('000Z', 'Z'), usual_interval_minutes: 10 },
        { reporter: 'z/x', last_at: log.ago(5 * 400 + 1).replace('000Z', 'Z'), usual_interval_minutes: 400 },
      ]);
      const quality = (await log.read()).emitters.filter(({ silent }) => silent);
      expect(emitters).toMatchObject(
        quality.map(({ reporter, last_at, usual_interval_minutes }) => ({ reporter, last_at, usual_interval_minutes })),
      );
      for (const minutesAgo of [70, 60, 50, day + 500])
        await log.append({ ...place }, { minutesAgo: minutesAgo + 2 * day });
      expect((await log.facts()).emitters.map(({ reporter }) => reporter)).toEqual(['b/x', 'z/x', null]);
    }),
  );
});
