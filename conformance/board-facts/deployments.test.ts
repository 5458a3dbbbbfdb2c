import type { Status } from '@shiplog/contract';
import { expect } from 'vitest';
import type { EventFields } from '../support/api.ts';
import { type DatedLog, dated } from '../support/arrival.ts';
import { suite } from '../support/suite.ts';

const place = { service: 'pay', environment: 'prod' };
const windowMinutes = 720 * 60;

/** Stores a row of a deployment in the place. */
function row(log: DatedLog, deployment_id: string, status: Status, minutesAgo: number, fields: EventFields = {}) {
  return log.append({ ...place, version: '1', deployment_id, status, happened_at: log.ago(minutesAgo), ...fields });
}

/** Stores ended deployments that took these minutes. Their last rows are two hours old. */
async function ended(log: DatedLog, minutes: readonly number[], endedAgo = 120, first: EventFields = {}) {
  for (const [at, duration] of minutes.entries()) {
    const deployment_id = `ended-${endedAgo}-${at}-${duration}`;
    await row(log, deployment_id, 'queued', endedAgo + duration, first);
    await row(log, deployment_id, 'success', endedAgo);
  }
}

/** Times that depend on the current time are half a minute before or after the limit. */
suite('questions board facts: deployments that are stuck, slow or running', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§1.2: a deployment is stuck once its latest row is older than an hour; since and status are those of that row',
    dated(api, async (log) => {
      await row(log, 'one', 'pending', 62);
      await row(log, 'one', 'queued', 59.5);
      expect(await log.factsOf(place)).toBeUndefined();
      await row(log, 'other', 'pending', 65);
      await row(log, 'other', 'waiting', 60.5);
      expect(await log.factsOf(place)).toMatchObject({
        stuck: { since: log.ago(60.5), status: 'waiting', deployment_id: 'other' },
        findings: [{ kind: 'stuck', count: 1 }],
      });
      for (const status of ['success', 'failure', 'cancelled', 'rejected'] as const) {
        const service = `ended-${status}`;
        await row(log, service, status, 100, { service });
        expect((await log.factsOf({ ...place, service }))?.stuck ?? null).toBeNull();
      }
    }),
  );

  testOwnInstance(
    '§3.3: a deployment is stuck where its latest row in the complete log is',
    dated(api, async (log) => {
      await row(log, 'one', 'in-progress', 210);
      await row(log, 'one', 'queued', 200, { environment: 'qa' });
      expect(await log.factsOf({ ...place, environment: 'qa' })).toMatchObject({ stuck: { since: log.ago(200) } });
      expect(await log.factsOf(place)).toBeUndefined();
    }),
  );

  testOwnInstance(
    '§3.3: of several stuck deployments, the one with the latest row counts; of equal times, the greater id',
    dated(api, async (log) => {
      const stuckId = async () => (await log.factsOf(place))?.stuck?.deployment_id;
      await row(log, 'newest', 'waiting', 100);
      await row(log, 'older', 'queued', 200);
      expect(await stuckId()).toBe('newest');
      await row(log, 'same time', 'pending', 100);
      expect(await stuckId()).toBe('same time');
      await row(log, 'young', 'pending', 10);
      expect(await stuckId()).toBe('same time');
      expect(await log.factsOf(place)).toMatchObject({ findings: [{ kind: 'stuck', count: 3 }] });
    }),
  );

  testOwnInstance(
    '§3.3: a deployment that the board has moved on from is a finding, but not a fact',
    dated(api, async (log) => {
      await row(log, 'forgotten', 'in-progress', 200);
      const forgotten = { stuck: { deployment_id: 'forgotten', status: 'in-progress' } };
      // Without other rows it is the current one.
      expect(await log.factsOf(place)).toMatchObject(forgotten);
      await row(log, 'before', 'success', 201);
      expect(await log.factsOf(place)).toMatchObject(forgotten);
      // Rows that are not effective never become the current one.
      await row(log, 'after', 'cancelled', 150);
      await row(log, 'after', 'rejected', 149);
      expect(await log.factsOf(place)).toMatchObject(forgotten);
      const moved = await row(log, 'success', 'success', 200);
      expect(moved.happened_at).toBe(log.ago(200));
      expect(await log.factsOf(place)).toMatchObject({ stuck: null, findings: [{ kind: 'stuck', count: 1 }] });
      // Equal times: the greater id is later.
      await row(log, 'behind it', 'queued', 200);
      expect(await log.factsOf(place)).toMatchObject({
        stuck: { deployment_id: 'behind it' },
        findings: [{ kind: 'stuck', count: 2 }],
      });
      await row(log, 'failed', 'failure', 199);
      expect(await log.factsOf(place)).toMatchObject({ stuck: null, findings: [{ kind: 'stuck', count: 2 }] });
    }),
  );

  testOwnInstance(
    '§3.5: a stuck deployment is older than three times the p95 of the place, even if that has a single duration',
    dated(api, async (log) => {
      await ended(log, [30], 300);
      await row(log, 'young', 'waiting', 89.5);
      expect(await log.factsOf(place)).toBeUndefined();
      await row(log, 'old', 'waiting', 90.5);
      expect(await log.factsOf(place)).toMatchObject({ stuck: { deployment_id: 'old' }, usual: null });
    }),
  );

  testOwnInstance(
    '§1.2, §3.4: a running deployment is slow once it takes longer than the p95 of at least five deployments',
    dated(api, async (log) => {
      await ended(log, [2, 4, 6, 10]);
      await row(log, 'run', 'in-progress', 40);
      expect(await log.factsOf(place)).toMatchObject({ slow: null, usual: { p50: 5, p95: 10, count: 4 } });
      await ended(log, [7], 130);
      expect(await log.factsOf(place)).toMatchObject({
        stuck: null,
        slow: { since: log.ago(40), usual_minutes: 6 },
        usual: { p50: 6, p95: 10, count: 5 },
      });
      await row(log, 'next', 'in-progress', 9.5);
      expect(await log.factsOf(place)).toMatchObject({ slow: null, usual: { count: 5 } });
      await row(log, 'after', 'in-progress', 9.49);
      await row(log, 'after', 'failure', 9.48);
      expect(await log.factsOf(place)).toBeUndefined();
    }),
  );

  testOwnInstance(
    '§3.4: the limit is passed right after the p95',
    dated(api, async (log) => {
      await ended(log, [2, 4, 6, 8, 10]);
      await row(log, 'run', 'in-progress', 10.5);
      expect(await log.factsOf(place)).toMatchObject({ slow: { since: log.ago(10.5), usual_minutes: 6 } });
    }),
  );

  testOwnInstance(
    '§3.4: since is the first row of the unbroken run of in-progress rows that ends with the current one',
    dated(api, async (log) => {
      await ended(log, [2, 4, 6, 8, 10]);
      await row(log, 'run', 'in-progress', 50);
      await row(log, 'run', 'waiting', 45);
      await row(log, 'run', 'in-progress', 30);
      // Neither another place nor another deployment breaks the run.
      await row(log, 'run', 'waiting', 29, { environment: 'qa' });
      await row(log, 'other', 'failure', 28);
      await row(log, 'run', 'in-progress', 25);
      // The run itself has a duration of 25 minutes.
      expect(await log.factsOf(place)).toMatchObject({
        slow: { since: log.ago(30), usual_minutes: 7 },
        usual: { p50: 7, p95: 25, count: 6 },
      });
    }),
  );

  testOwnInstance(
    '§3.4: a deployment is only slow if the current row is its latest row; it is still running',
    dated(api, async (log) => {
      await ended(log, [2, 4, 6, 8, 10]);
      await row(log, 'run', 'in-progress', 40);
      expect((await log.factsOf(place))?.slow).toMatchObject({ since: log.ago(40) });
      await row(log, 'run', 'success', 39, { environment: 'dev' });
      expect(await log.factsOf(place)).toMatchObject({ slow: null, usual: { count: 5 } });
      await row(log, 'next', 'in-progress', 35);
      expect((await log.factsOf(place))?.slow).toMatchObject({ since: log.ago(35) });
      await row(log, 'next', 'waiting', 34);
      expect(await log.factsOf(place)).toMatchObject({ slow: null, usual: { count: 6 } });
    }),
  );

  testOwnInstance(
    '§1.2: a place that is stuck is not slow',
    dated(api, async (log) => {
      await ended(log, [2, 4, 6, 8, 10]);
      await row(log, 'run', 'in-progress', 59.5);
      expect(await log.factsOf(place)).toMatchObject({ stuck: null, slow: { since: log.ago(59.5) } });
      await row(log, 'run', 'in-progress', 60.5);
      await row(log, 'run', 'in-progress', 60.4);
      await row(log, 'hanging', 'waiting', 60.5);
      // The place has moved on from the deployment that hangs.
      expect(await log.factsOf(place)).toMatchObject({ stuck: null, slow: { since: log.ago(60.5) } });
      const other = { service: 'shop' };
      for (const [at, minutes] of [2, 4, 6, 8, 10].entries()) {
        await row(log, `shop-${at}`, 'queued', 120 + minutes, other);
        await row(log, `shop-${at}`, 'success', 120, other);
      }
      await row(log, 'shop-run', 'in-progress', 60.5, other);
      expect(await log.factsOf({ ...place, ...other })).toMatchObject({
        stuck: { deployment_id: 'shop-run' },
        slow: null,
        usual: { count: 5 },
      });
    }),
  );

  testOwnInstance(
    '§1.3, §3.5: usual has at least three deployments of two rows whose last row is here and in the last 720 h',
    dated(api, async (log) => {
      await row(log, 'run', 'in-progress', 1);
      await ended(log, [5, 6, 7], windowMinutes + 0.5);
      await row(log, 'single', 'success', 90);
      await row(log, 'ends elsewhere', 'queued', 90);
      await row(log, 'ends elsewhere', 'success', 80, { environment: 'dev' });
      await ended(log, [10], windowMinutes - 0.5);
      await ended(log, [20], 100, { service: 'shop', environment: 'qa' });
      const usual = async () => (await log.factsOf(place))?.usual ?? null;
      expect(await usual()).toBeNull();
      await ended(log, [40], 110);
      expect(await usual()).toEqual({ p50: 20, p95: 40, count: 3 });
      await ended(log, [30], 115);
      expect(await usual()).toEqual({ p50: 25, p95: 40, count: 4 });
      // Deployments of any last status count.
      await row(log, 'ended badly', 'queued', 96);
      await row(log, 'ended badly', 'cancelled', 84);
      expect(await usual()).toEqual({ p50: 20, p95: 40, count: 5 });
    }),
  );

  testOwnInstance(
    '§3.5: a deployment whose last row is not before now has no duration yet',
    dated(api, async (log) => {
      await row(log, 'run', 'in-progress', 1);
      await ended(log, [5, 6], 100);
      // A status that is not effective leaves the running deployment on the board.
      await row(log, 'ahead', 'queued', 5);
      await row(log, 'ahead', 'cancelled', -1);
      expect((await log.factsOf(place))?.usual ?? null).toBeNull();
      await row(log, 'before', 'queued', 5);
      await row(log, 'before', 'cancelled', 0.5);
      expect((await log.factsOf(place))?.usual).toEqual({ p50: 5, p95: 6, count: 3 });
    }),
  );

  testOwnInstance(
    '§1.3, §3.5: p95 is the nearest rank of all durations',
    dated(api, async (log) => {
      await row(log, 'run', 'in-progress', 1);
      await ended(
        log,
        Array.from({ length: 19 }, (_, at) => at + 1),
      );
      await ended(log, [50], 121);
      expect((await log.factsOf(place))?.usual).toEqual({ p50: 10.5, p95: 19, count: 20 });
      await ended(log, [0], 122);
      expect((await log.factsOf(place))?.usual).toEqual({ p50: 10, p95: 19, count: 21 });
      await row(log, 'next', 'failure', 0);
      expect(await log.factsOf(place)).toBeUndefined();
    }),
  );
});
