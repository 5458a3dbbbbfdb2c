import type { SeedProject } from '@shiplog/companions';
import { expect, onTestFinished, test } from 'vitest';
import { project, type Run, repository, smallRun } from './support/run.ts';

const cycleMs = 30_000;
const stepMs = 2000;
const requestsPerMinute = 60;
/** The duration of each request: the requests allowed in a minute take nearly a minute. */
const answerMs = 900;

/** Lets time pass with each request to the tools, as with distant ones; returns when each deployment was posted. */
function slowTools(run: Run): ReadonlyMap<string, number> {
  const usual = globalThis.fetch;
  const posted = new Map<string, number>();
  globalThis.fetch = (input, init) => {
    const { pathname, origin } = new URL(String(input));
    if (origin === run.emulatorUrl && !pathname.startsWith('/_ci')) run.clock.advance(answerMs);
    if (origin === run.serviceUrl && init?.method === 'POST') {
      const [, id = ''] = /"deployment_id":"([^"]+)"/.exec(String(init.body)) ?? [];
      posted.set(id, run.clock.now().getTime());
    }
    return usual(input, init);
  };
  onTestFinished(() => {
    globalThis.fetch = usual;
  });
  return posted;
}

async function deploy(run: Run, place: string): Promise<string> {
  const status = place === project ? { status: 'created' } : { state: 'in_progress' };
  const body = { repository: place, environment: 'fresh', ...status };
  return (await run.ci<{ deployment_id: string }>('/deployments', body)).deployment_id;
}

/** A project in which each deployment failed in a separate pipeline, so that each requires requests. */
function manyPipelines(count: number): SeedProject {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    ...{ id: 900, path: 'acme/many', environments: ['dev'] },
    pipelines: numbers.map((id) => ({ id, stages: ['deploy'], jobs: [{ name: 'deploy', stage: 'deploy' }] })),
    deployments: numbers.map((id) => ({
      ...{ id, iid: id, sha: 'c'.repeat(40), ref: 'main', user: 'bob', environment: 'dev', status: 'failed' as const },
      ...{ pipeline: id, job: 'deploy' },
      ...{ elapsed_minutes: 60 + count - id, started_at: 60 + count - id, finished_at: 60 + count - id },
    })),
  };
}

test.each([
  ['GitHub', repository, { repos: 5, projects: 0, deployments: 80 }],
  ['GitLab', project, { repos: 0, projects: 1, deployments: 5 }],
])('%s: cycles during a backfill report new deployments', async (_, place, size) => {
  const run = await smallRun({ ...size, fetcher: { CI_MAX_REQUESTS_PER_MINUTE: String(requestsPerMinute) } });
  await run.ci('/seed', { data: { repos: [], projects: [manyPipelines(90)] } });
  const posted = slowTools(run);
  await run.startFetcher();
  await run.pass(stepMs);
  const latencies: number[] = [];
  for (let deployment = 0; deployment < 2; deployment += 1) {
    expect((await run.health()).sources[0]?.backfill).not.toBeNull();
    const deployedMs = run.clock.now().getTime();
    const id = await deploy(run, place);
    for (let step = 0; step < 60 && !posted.has(id); step += 1) await run.pass(stepMs);
    latencies.push((posted.get(id) ?? Number.POSITIVE_INFINITY) - deployedMs);
  }
  expect(Math.max(...latencies)).toBeLessThan(cycleMs + 15 * answerMs);
});
