import type { Status } from '@shiplog/contract';
import { expect } from 'vitest';
import { dated } from '../support/arrival.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const place = { service: 'pay', environment: 'prod' };
const day = 24 * 60;
suiteOfOwnLogs('questions findings', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§10.2: a future finding has rows that happened more than 5 minutes after they arrived',
    dated(api, async (log) => {
      await log.append({ ...place, happened_at: log.ago(95) }, { minutesAgo: 100 });
      expect(await log.findings('future')).toEqual([]);
      const older = await log.append({ ...place, happened_at: log.ago(95, 1) }, { minutesAgo: 100 });
      const newest = await log.append({ ...place, happened_at: log.ago(50) }, { minutesAgo: 200 });
      expect(older.id > newest.id).toBe(true);
      expect(await log.findings('future')).toEqual([
        { kind: 'future', ...place, count: 2, event_id: newest.id, detail: expect.stringMatching(/^2 .*\.$/) },
      ]);
    }),
  );

  testOwnInstance(
    '§10.2, §12.10: a late finding has rows that arrived more than 24 h late from a reporter that usually takes less than 1 h',
    dated(api, async (log) => {
      const reporter = 'a/x';
      const lagging = (minutes: number, minutesAgo: number, fields: object = {}) =>
        log.append({ ...place, happened_at: log.ago(minutesAgo + minutes), ...fields }, { minutesAgo, reporter });
      await lagging(59, 300);
      await lagging(59, 290);
      const late = { happened_at: log.ago(280 + day + 1, 0) };
      const { id } = await lagging(0, 280, late);
      // The delays are 59 minutes, 59 minutes and one day, so the median is 59 minutes.
      expect(await log.findings('late')).toMatchObject([{ ...place, count: 1, event_id: id }]);
      for (const minutesAgo of [276, 275, 274, 273]) await lagging(30, minutesAgo);
      // A row with a delay of exactly 24 hours is not late. One microsecond more makes it late.
      await lagging(0, 270, { happened_at: log.ago(270 + day) });
      expect(await log.findings('late')).toMatchObject([{ count: 1 }]);
      await lagging(0, 250, { happened_at: log.ago(250 + day + 1 / 60_000, 999) });
      expect(await log.findings('late')).toMatchObject([{ count: 2 }]);
    }),
  );

  testOwnInstance(
    '§12.10: rows of a reporter that usually takes an hour, or has fewer than three rows, are never late',
    dated(api, async (log) => {
      const store = async (reporter: string, lags: readonly number[]) => {
        for (const [at, lag] of lags.entries()) {
          const minutesAgo = 300 - at;
          await log.append({ ...place, happened_at: log.ago(minutesAgo + lag) }, { minutesAgo, reporter });
        }
      };
      await store('hour/x', [60, 60, 60, 2 * day]);
      await store('two/x', [1, 2 * day]);
      expect(await log.findings('late')).toEqual([]);
      await store('minutes/x', [1, 1, 1, 2 * day]);
      expect(await log.findings('late')).toMatchObject([{ count: 1 }]);
    }),
  );

  testOwnInstance(
    '§12.10: a late finding counts its rows that happened before the first row of their reporter arrived',
    dated(api, async (log) => {
      const store = (arrivedAgo: number, happened_at: string, fields: object = {}, reporter = 'a/x') =>
        log.append({ ...place, happened_at, ...fields }, { minutesAgo: arrivedAgo, reporter });
      const first = 3 * day;
      for (const at of [0, 1, 2]) await store(first - at, log.ago(first - at));
      // A row that happened exactly when its reporter's first row arrived is not history. One microsecond earlier makes
      // it history.
      await store(60, log.ago(first));
      const [withoutHistory] = await log.findings('late');
      expect(withoutHistory).toMatchObject({ ...place, count: 1 });
      expect(withoutHistory).not.toHaveProperty('before_reporter');
      expect(await log.read('kind=late')).not.toHaveProperty('late_before_reporters');
      await store(59, log.ago(first + 1 / 60_000, 999));
      // Another reporter and the rows without a reporter have separate first rows.
      for (const at of [0, 1, 2]) await store(300 - at, log.ago(300 - at), {}, 'b/x');
      await store(290, log.ago(2 * day), {}, 'b/x');
      for (const at of [0, 1, 2]) await log.append({ happened_at: log.ago(200 - at) }, { minutesAgo: 200 - at });
      const { id } = await log.append({ service: 'shop', happened_at: log.ago(2 * day) }, { minutesAgo: 100 });
      const { findings, counts, ...report } = await log.read('kind=late&services=pay&services=shop');
      expect(findings).toEqual([
        expect.objectContaining({ ...place, count: 3, before_reporter: 2 }),
        expect.objectContaining({ service: 'shop', count: 1, event_id: id, before_reporter: 1 }),
      ]);
      for (const { count, detail } of findings) expect(detail).toMatch(new RegExp(`^${count} .*history.*\\.$`));
      expect(counts.late).toBe(2);
      expect(report).toMatchObject({ late_before_reporters: 1 });
      expect(await log.read('kind=future&counts=asked')).not.toHaveProperty('late_before_reporters');
    }),
  );

  testOwnInstance(
    '§10.2: a deployment in a slot without durations is stuck if it is older than one hour',
    dated(api, async (log) => {
      const row = (deployment_id: string, status: Status, minutes: number) =>
        log.append({ ...place, deployment_id, status, happened_at: log.ago(minutes) });
      await row('young', 'queued', 58);
      await row('ended', 'in-progress', 300);
      await log.append({ service: 'shop', deployment_id: 'ended', status: 'cancelled', happened_at: log.ago(200) });
      await log.append({ service: 'web', deployment_id: 'at once', status: 'waiting', happened_at: log.ago(62) });
      await log.append({ service: 'web', deployment_id: 'at once', status: 'success', happened_at: log.ago(62) });
      const { id } = await row('one row', 'waiting', 62);
      await row('other', 'pending', 400);
      expect(await log.findings('stuck')).toEqual([
        { kind: 'stuck', ...place, count: 2, event_id: id, detail: expect.stringMatching(/^2 .*\.$/) },
      ]);
    }),
  );

  testOwnInstance(
    '§10.2, §12.10, §12.12: a deployment in a slot with durations is stuck if it is older than 3 × their p95 over 30 days',
    dated(api, async (log) => {
      const ended = async (deployment_id: string, minutes: number, daysAgo: number, first: object = {}) => {
        const endsAt = daysAgo * day;
        await log.append({
          ...place,
          deployment_id,
          status: 'queued',
          happened_at: log.ago(endsAt + minutes),
          ...first,
        });
        await log.append({ ...place, deployment_id, happened_at: log.ago(endsAt) });
      };
      await log.append({ ...place, deployment_id: 'open', status: 'in-progress', happened_at: log.ago(100) });
      expect(await log.findings('stuck')).toHaveLength(1);
      await ended('long ago', 500, 31);
      expect(await log.findings('stuck')).toHaveLength(1);
      await ended('ahead', 500, -1);
      expect(await log.findings('stuck')).toHaveLength(1);
      await ended('shorter', 33, 29);
      expect(await log.findings('stuck')).toHaveLength(1);
      // This deployment began in another slot. Its 34 minutes are a third of 102.
      await ended('from elsewhere', 34, 2, { environment: 'dev' });
      expect(await log.findings('stuck')).toEqual([]);
      await log.append({ ...place, deployment_id: 'older', status: 'in-progress', happened_at: log.ago(103) });
      expect(await log.findings('stuck')).toMatchObject([{ count: 1 }]);
    }),
  );

  testOwnInstance(
    '§10.2: an unknown-parent finding has parents that have no row one hour after the arrival',
    dated(api, async (log) => {
      const parents = (...parent_deployments: string[]) => ({ ...place, parent_deployments });
      await log.append({ deployment_id: 'known' });
      await log.append(parents('known', 'later'), { minutesAgo: 59 });
      await log.append(parents('known'), { minutesAgo: 300 });
      expect(await log.findings('unknown-parent')).toEqual([]);
      const { id } = await log.append(parents('known', 'nobody', 'none'), { minutesAgo: 61 });
      expect(await log.findings('unknown-parent')).toEqual([
        { kind: 'unknown-parent', ...place, count: 1, event_id: id, detail: expect.stringMatching(/^1 .*\.$/) },
      ]);
      for (const deployment_id of ['nobody', 'none']) await log.append({ deployment_id });
      expect(await log.findings('unknown-parent')).toEqual([]);
    }),
  );

  testOwnInstance(
    '§10.2, §12.10, §12.12: a duplicate finding counts repeats of a status within 10 minutes of happened_at',
    dated(api, async (log) => {
      const row = (happened_at: string, fields: object = {}) =>
        log.append({ ...place, deployment_id: 'one', status: 'failure', happened_at, ...fields });
      await row(log.ago(100));
      await row(log.ago(90, 1));
      await row(log.ago(95), { environment: 'dev' });
      await row(log.ago(95), { status: 'success' });
      await row(log.ago(95), { deployment_id: 'two' });
      await row(log.ago(95), { service: 'shop' });
      expect(await log.findings('duplicate')).toEqual([]);
      const { id } = await row(log.ago(80, 1));
      expect(await log.findings('duplicate')).toMatchObject([{ count: 1, event_id: id }]);
      await row(log.ago(85));
      expect(await log.findings('duplicate')).toEqual([
        { kind: 'duplicate', ...place, count: 2, event_id: id, detail: expect.stringMatching(/^2 .*\.$/) },
      ]);
    }),
  );

  testOwnInstance(
    '§10.2, §12.10, §12.12: a look-alike finding has names of services or environments that differ only in spelling',
    dated(api, async (log) => {
      for (const service of ['pay-api', 'Pay_API', 'pay.api', 'payapi2', 'shop'])
        await log.append({ service, environment: 'qa' });
      for (const environment of ['prod', 'Production', 'preprod', 'stg', 'stage', 'stag-ing', 'dev', 'devel', 'qa']) {
        await log.append({ service: 'shop', environment });
      }
      const found = await log.findings('look-alike');
      expect(found.map(({ service, environment, count, event_id }) => [service, environment, count, event_id])).toEqual(
        [
          ['Pay_API', null, 3, null],
          [null, 'stag-ing', 3, null],
          [null, 'Production', 2, null],
        ],
      );
      expect(found[0]?.detail).toMatch(/"Pay_API", "pay-api", "pay\.api"/);
      expect(found[2]?.detail).toMatch(/"Production", "prod".*\.$/);
      await log.append({ service: 'shop', environment: 'development' });
      expect(await log.findings('look-alike')).toHaveLength(4);
    }),
  );

  testOwnInstance(
    '§10.2: a look-alike finding also has names with bidi or zero-width characters, and detail shows these characters',
    dated(api, async (log) => {
      for (const service of ['pay', 'p\u200bay', 'shop\u202e', 'plain'])
        await log.append({ service, environment: 'qa\ufeff' });
      const found = await log.findings('look-alike');
      expect(found.map(({ service, environment, count }) => [service, environment, count])).toEqual([
        ['pay', null, 2],
        ['shop\u202e', null, 1],
        [null, 'qa\ufeff', 1],
      ]);
      expect(found[0]?.detail).toMatch(/"pay", "p\\u\{200b\}ay" are probably the same/);
      expect(found[1]?.detail).toBe(
        'The service "shop\\u{202e}" contains invisible characters; post under a name without them.',
      );
      for (const { detail } of found) expect(detail).not.toMatch(/\p{Cf}/u);
    }),
  );

  testOwnInstance(
    '§10.2, §12.10, §12.1: an unversioned finding means that the last ten rows have neither a version nor a sha',
    dated(api, async (log) => {
      const statuses: readonly Status[] = ['queued', 'in-progress', 'success'];
      const row = (minutes: number, fields: object = {}) => {
        const { version: _, sha: __, ...plain } = { version: '', sha: '', ...place };
        const status = statuses[minutes % 3] ?? 'success';
        const release = minutes % 2 ? { version: '' } : { sha: '' };
        return log.append({ ...plain, status, happened_at: log.ago(minutes), ...release, ...fields });
      };
      for (let minutes = 2; minutes <= 10; minutes += 1) await row(minutes);
      expect(await log.findings('unversioned')).toEqual([]);
      await row(11, { sha: 'abc' });
      expect(await log.findings('unversioned')).toEqual([]);
      const { id } = await row(1);
      expect(await log.findings('unversioned')).toEqual([
        { kind: 'unversioned', ...place, count: 10, event_id: id, detail: expect.stringMatching(/\.$/) },
      ]);
      await row(3, { version: '1' });
      expect(await log.findings('unversioned')).toEqual([]);
    }),
  );
});
