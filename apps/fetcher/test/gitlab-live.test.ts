import type { SeedProjectDeployment } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aProject, aSeed, aSeedOfDeployments } from '../../ci-emulator/test/support/emulator.ts';
import { never } from './support/asked-tool.ts';
import { type GitlabOptions, GitlabRun } from './support/source-run.ts';

const minuteMs = 60_000;
const listPath = '/api/v4/projects/7/deployments';

function trialOf(options: GitlabOptions = {}): Promise<GitlabRun> {
  return GitlabRun.start({ data: aSeed({ repos: [] }), places: ['acme/*'], ...options });
}

/** This many deployments without jobs, oldest first. */
function rowsOf(count: number, minutesOf: (index: number) => number): Partial<SeedProjectDeployment>[] {
  return Array.from({ length: count }, (_, index) => ({
    elapsed_minutes: minutesOf(index),
    started_at: minutesOf(index),
    finished_at: minutesOf(index),
  }));
}

/** A source that starts an hour ago, without a backfill. */
function fromAnHourAgo(trial: GitlabRun) {
  const source = trial.source();
  trial.memory = source.startingAt(new Date(trial.nowMs - 120 * minuteMs));
  return source;
}

test('a cycle without changes requests one page per project and reports no changes', async () => {
  const trial = await trialOf();
  const source = await trial.first();
  await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production', status: 'failed' });
  await trial.cycle(source);
  await trial.asked();
  for await (const { changes } of source.poll(trial.memory, { signal: never })) expect(changes).toEqual([]);
  expect(await trial.asked()).toHaveLength(1);
});

test('each change is reported in the next cycle, even one that GitLab no longer shows later', async () => {
  const trial = await trialOf();
  const source = await trial.first();
  trial.log.forget();
  const { id } = await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production' });
  for (const state of ['blocked', 'running', 'success'] as const) {
    await trial.cycle(source);
    trial.clock.advance(minuteMs);
    await trial.emulator.move(id, { state });
  }
  await trial.cycle(source);
  expect(trial.told).toEqual([
    'production pending 09:00',
    'production waiting 09:01',
    'production in-progress 09:02',
    'production success 09:03',
  ]);
});

test('all deployments with the same instant are listed, even if they fill more than a page', async () => {
  const trial = await trialOf({ data: aSeedOfDeployments(...rowsOf(250, () => 50)) });
  await trial.cycle(fromAnHourAgo(trial));
  expect(trial.rows).toEqual(await trial.expected());
  expect(trial.rows).toHaveLength(750);
});

test('deployments updated between two pages are not missed', async () => {
  const trial = await trialOf({ data: aSeedOfDeployments(...rowsOf(250, (index) => 100 - index / 10)) });
  const source = fromAnHourAgo(trial);
  const moved = [701, 702, 703, 801];
  for await (const { changes, memory } of source.poll(trial.memory, { signal: never })) {
    await trial.take(
      (async function* () {
        yield { changes, memory };
      })(),
    );
    const id = moved.shift();
    if (id !== undefined) await trial.emulator.move(`gl-deploy-${id}`, { state: 'canceled' });
  }
  const seen = new Set([...trial.log.rows.values()].map(({ id }) => id));
  expect(seen.size).toBe(250);
});

test('the next cycle continues after the rate limit was reached', async () => {
  const data = aSeedOfDeployments(...rowsOf(450, (index) => 100 - index / 10));
  const trial = await trialOf({ data, requestsPerMinute: 4 });
  const source = fromAnHourAgo(trial);
  await trial.take(source.poll(trial.memory, { signal: never }));
  const first = trial.log.rows.size;
  expect(first).toBeLessThan(1350);
  for (let cycle = 0; cycle < 4; cycle += 1) {
    trial.clock.advance(minuteMs);
    await trial.take(source.poll(trial.memory, { signal: never }));
  }
  expect(trial.rows).toEqual(await trial.expected());
});

test('a status dated in the future does not hide others', async () => {
  const trial = await trialOf();
  const source = await trial.first();
  await trial.emulator.move('gl-deploy-701', { state: 'canceled', at: '2026-05-05T09:00:00Z' });
  await trial.cycle(source);
  trial.clock.advance(5 * minuteMs);
  await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production' });
  await trial.cycle(source);
  expect(trial.told).toContain('production pending 09:05');
});

test('a deployment that GitLab shows late is reported in the next cycle', async () => {
  const trial = await trialOf();
  trial.clock.advance(10 * minuteMs);
  await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production' });
  trial.clock.advance(2 * minuteMs);
  await trial.emulator.fault({ match: { path: '/api/v4/projects/7/**' }, effect: { lag_ms: 5 * minuteMs }, times: 3 });
  const source = await trial.first();
  expect(trial.told).not.toContain('production pending 09:10');
  await trial.cycle(source);
  expect(trial.told).toContain('production pending 09:10');
});

test('startingAt skips earlier changes, including earlier changes of running deployments', async () => {
  const trial = await trialOf();
  const { id } = await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production' });
  trial.clock.advance(minuteMs);
  const source = trial.source();
  trial.memory = source.startingAt(new Date(trial.nowMs));
  await trial.cycle(source);
  trial.clock.advance(minuteMs);
  await trial.emulator.move(id, { state: 'running' });
  await trial.cycle(source);
  expect(trial.told).toEqual(['production in-progress 09:02']);
});

describe('faults of GitLab', () => {
  const other = aProject({ id: 8, path: 'acme/other', pipelines: [], deployments: [] });
  const two = aSeed({ repos: [], projects: [aProject(), other] });

  test('a hint polls only its project', async () => {
    const trial = await trialOf({ data: two });
    const source = await trial.first();
    await trial.asked();
    await trial.take(source.poll(trial.memory, { only: new Set(['acme/other']), signal: never }));
    expect((await trial.asked()).map((path) => path.split('?')[0])).toEqual(['/api/v4/projects/8/deployments']);
  });

  test('a refused project does not delay others, is listed, and is retried hourly', async () => {
    const trial = await trialOf({ data: two });
    const source = await trial.first();
    await trial.emulator.fault({ match: { path: listPath }, effect: { status: 403 } });
    await trial.cycle(source);
    expect(source.figures(trial.memory).forbidden).toEqual(['acme/ledger']);
    await trial.asked();
    await trial.cycle(source);
    expect(await trial.asked()).toHaveLength(1);
    trial.clock.advance(60 * minuteMs);
    await trial.cycle(source);
    expect(source.figures(trial.memory).forbidden).toEqual([]);
  });

  test('a project without a response is skipped and read in the next cycle', async () => {
    const trial = await trialOf({ data: two });
    const source = await trial.first();
    await trial.emulator.fault({ match: { path: listPath }, effect: { garbage: true } });
    await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production' });
    await trial.emulator.deploy({ repository: 'acme/other', environment: 'dev' });
    trial.log.forget();
    await trial.cycle(source);
    expect(trial.told).toEqual(['dev pending 09:00']);
    await trial.cycle(source);
    expect(trial.told).toHaveLength(2);
  });

  test('an unreachable tool is reported to the caller', async () => {
    const trial = await trialOf({ data: two });
    const source = await trial.first();
    await trial.emulator.fault({
      match: { path: '/api/v4/projects/*/deployments' },
      effect: { status: 502 },
      times: 9,
    });
    await expect(trial.cycle(source)).rejects.toThrow('502');
  });

  test('if the list of projects cannot be read, the known projects are polled', async () => {
    const trial = await trialOf({ data: two });
    const source = await trial.first();
    trial.clock.advance(60 * minuteMs);
    await trial.emulator.fault({ match: { path: '/api/v4/groups/**' }, effect: { status: 502 } });
    await trial.emulator.deploy({ repository: 'acme/other', environment: 'dev' });
    await trial.cycle(source);
    expect(trial.told).toContain('dev pending 10:00');
  });

  test('a paused source reports its pause', async () => {
    const trial = await trialOf({ emulator: { GITLAB_SIM_RATE_LIMIT: '4' } });
    const source = await trial.first();
    await expect(trial.cycle(source)).rejects.toThrow('quota');
  });
});

test("changes that are made while the tool's clock is wrong are found once the clock is right", async () => {
  const trial = await trialOf();
  await trial.emulator.fault({ effect: { skew_ms: 60 * minuteMs } });
  const source = await trial.first();
  trial.log.forget();
  await trial.emulator.post('/_ci/faults', undefined, 'DELETE');
  await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production', status: 'success' });
  await trial.cycle(source);
  expect(trial.told).toContain('production success 09:00');
});
