import { writeFile } from 'node:fs/promises';
import type { Clock } from '@shiplog/client';
import { type DoraReport, headerNames, type QualityReport } from '@shiplog/contract';
import { anEvent, clientOf, fileFolder, minute, postStored, sharedService } from '@shiplog/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { assistant } from './support/assistant.ts';
import { documents, ran } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();
const byTheHour = sharedLog({
  analytics: { granularity: 'hour', promotionOrder: [{ name: 'staging' }, { name: 'prod' }] },
});

describe('dora', () => {
  test('dora accepts any period, compares it with the previous one, and reports a clamped period', async () => {
    const url = await emptyService();
    // Freeze the time, so that neither midnight nor a full hour passes between the test's request and the command's.
    const now = new Date();
    const clock: Clock = { now: () => now, sleep: async () => {} };
    const today = now.toISOString().slice(0, 10);
    const days = ['dora', '--json', '--period', '2d', '--compare'];
    const [body] = documents((await ran(url, days, { clock })).stdout) as [DoraReport];
    expect(body.window).toMatchObject({ days: 2, to: `${today}T00:00:00Z` });
    expect(body.deployment_frequency.previous).toBe(0);
    const from = new Date(now.getTime() - 3_600_000).toISOString();
    const hours = ['dora', '--from', '1h', '--to', now.toISOString(), '--compare'];
    const shown = await ran(url, hours, { clock });
    expect(shown.stdout.split('\n')[0]).toBe('deployment_frequency\t0\tper_day\tlow\t\t0');
    expect(shown.stderr).toContain(from.slice(0, 13));
    expect(body).toMatchObject({
      outages: { count: 0 },
      change_failure_rate_observed: { value: null, previous: null },
    });
    expect(shown.stdout).toMatch(/^change_failure_rate_observed\tnone\tratio\telite\t\tnone$/m);
    expect(shown.stdout).toMatch(/^time_to_detect\tnone\tminutes\t\t\tnone$/m);
    expect(shown.stderr).toContain('A failure that becomes known later changes the past.');
    for (const faulty of [
      ['--period', '401d'],
      ['--period', '1h'],
      ['--from', '1d'],
      ['--period', '7d', '--to', '1d', '--from', '2d'],
    ]) {
      expect(await ran(url, ['dora', ...faulty])).toMatchObject({ code: 2, stdout: '' });
    }
  });
});

describe('figures of a period that begins before the log', () => {
  const days = { from: '2026-04-01', to: '2026-04-05' };
  async function young(): Promise<string> {
    const url = await emptyService();
    await postStored(url, anEvent({ environment: 'prod', happened_at: '2026-04-03T10:00:00Z' }));
    await postStored(url, anEvent({ environment: 'prod', happened_at: '2026-04-04T10:00:00Z' }));
    return url;
  }

  test('dora shows the frequency over covered days first, and names these days', async () => {
    const url = await young();
    const { stdout, stderr } = await ran(url, ['dora', '--from', days.from, '--to', days.to, '--compare']);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^deployment_frequency\t1\tper_day\t\t[^\t]*\tnone\t0\.5$/),
      expect.stringMatching(/^lead_time\t.*\t$/),
    ]);
    expect(stderr).toContain('The log covers 2 of the 4 days, from 2026-04-03T10:00:00Z.');
    const whole = await ran(url, ['dora', '--from', '2026-04-03T10:00:00Z', '--to', days.to]);
    expect(whole.stdout.split('\n')[0]).toMatch(/^deployment_frequency\t1\tper_day\t[a-z]+\t[^\t]*$/);
    expect(whole.stderr).not.toContain('covers');
  });

  test('an assistant also gets an explanation of the covered days', async () => {
    const { call } = await assistant(await young());
    const { json } = await call('dora', days);
    const [frequency] = (json as unknown as { items: [object] }).items;
    expect(Object.entries(frequency).slice(0, 3)).toEqual([
      ['figure', 'deployment_frequency'],
      ['per_covered_day', 1],
      ['value', 0.5],
    ]);
    expect(json).toMatchObject({
      window: { days: 4, covered_days: 2 },
      note: expect.stringContaining('The log covers 2 of the 4 days, from 2026-04-03T10:00:00Z.'),
    });
  });
});

test('periods of any length end at the same time as windows', async () => {
  const url = await byTheHour.emptyService();
  const ends = [];
  for (const period of ['7d', '8d', '30d', '31d']) {
    const [{ window }] = documents((await ran(url, ['dora', '--json', '--period', period])).stdout) as [DoraReport];
    expect((Date.parse(window.to) - Date.parse(window.from)) / 86_400_000).toBe(Number.parseInt(period, 10));
    ends.push(window.to);
  }
  expect(new Set(ends).size).toBe(1);
});

describe('figures and board of a team', () => {
  let url: string;
  const inFolder = fileFolder();
  const empty = sharedService(async () => {
    const catalogFile = inFolder('catalog.yaml');
    await writeFile(catalogFile, 'services:\n  - { name: "pay-*", team: core }\n  - { name: web, team: shop }\n');
    return { config: { catalogFile } };
  });
  beforeAll(async () => {
    ({ url } = await empty());
    for (const service of ['pay-api', 'web', 'other']) {
      await postStored(url, anEvent({ service, happened_at: minute(0) }));
    }
  });

  test.each([
    [['--team', 'core'], ['pay-api']],
    [
      ['--team', 'core', '--team', 'shop'],
      ['pay-api', 'web'],
    ],
    [
      ['--team', 'core', '--services', 'o*'],
      ['other', 'pay-api'],
    ],
    [['--services', 'o*'], ['other']],
  ])('board with the options %j lists the services %j', async (options, services) => {
    const lines = (await ran(url, ['board', ...options])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t')[0])).toEqual(services);
  });

  test('an unknown team is an error for board and figures', async () => {
    const { code, stderr } = await ran(url, ['board', '--team', 'core', '--team', 'Shop', '--team', 'x']);
    expect([code, stderr]).toEqual([0, '']);
    expect(await ran(url, ['board', '--team', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('core, shop'),
    });
    const named = await ran(url, ['dora', '--json', '--team', 'core']);
    expect(documents(named.stdout)).toEqual([
      expect.objectContaining({ scope: { services: [], environments: [], teams: ['core'] } }),
    ]);
    expect(await ran(url, ['dora', '--team', 'x'])).toMatchObject({ code: 3, stderr: expect.stringContaining('team') });
  });
});

describe('quality', () => {
  test('quality prints reporters on a terminal, and findings with remedies', async () => {
    const url = await emptyService();
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const headers = { [headerNames.progressReporter]: 'github/1' };
    await clientOf(url).appendDeployment({ body: anEvent({ service: 'pay', happened_at: ahead }), headers });
    for (const service of ['web', 'Web']) await postStored(url, anEvent({ service, happened_at: minute(0) }));
    const [report] = documents((await ran(url, ['quality', '--json'])).stdout) as [QualityReport];
    const { body } = await clientOf(url).getQuality();
    expect({ ...report, generated_at: '' }).toEqual({ ...body, generated_at: '' });
    expect(report.counts).toMatchObject({ future: 1, 'look-alike': 1 });
    const lines = (await ran(url, ['quality', '--kind', 'future'])).stdout.trimEnd().split('\n');
    expect(lines).toEqual([expect.stringMatching(/^future\tpay\tstaging\t1\t.+\.$/)]);
    const shown = await ran(url, ['quality', '--services', 'nobody'], { isTerminal: true });
    expect(shown.stdout).toContain('github/1');
    expect(shown.stderr).toContain('No data quality findings');
    expect(await ran(url, ['quality', '--kind', 'odd'])).toMatchObject({ code: 2 });
  });

  test('quality prints backfilled history of a new reporter only as JSON', async () => {
    const url = await emptyService();
    const post = async (daysAgo: number, deployment_id: string) => {
      const happened_at = new Date(Date.now() - daysAgo * 86_400_000 - 60_000).toISOString();
      await clientOf(url).appendDeployment({
        body: anEvent({ service: 'pay', deployment_id, happened_at }),
        headers: { [headerNames.progressReporter]: 'github/1' },
      });
    };
    for (const [daysAgo, id] of [
      [9, 'a'],
      [0, 'b'],
      [0, 'c'],
      [0, 'd'],
    ] as const) {
      await post(daysAgo, id);
    }
    const { stdout, stderr } = await ran(url, ['quality', '--kind', 'late']);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining('No data quality findings')]);
    const [report] = documents((await ran(url, ['quality', '--json'])).stdout) as [QualityReport];
    expect(report).toMatchObject({ findings: [{ kind: 'late', count: 1, before_reporter: 1 }], counts: { late: 1 } });
  });
});
