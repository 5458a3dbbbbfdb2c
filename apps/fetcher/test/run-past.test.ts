import { expect, onTestFinished, test } from 'vitest';
import type { Run } from './support/run.ts';
import { project, repository, smallRun } from './support/run-data.ts';

const cycleMs = 30_000;
const requestsPerMinute = 60;
/** How long the tool takes for an answer: a minute's requests take nearly a minute. */
const answerMs = 900;

/** Time passes with each request to the tools, as it does where they are far away; gives when each deployment was posted. */
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

test.each([
  ['GitHub', repository, { repos: 5, projects: 0, deployments: 80 }],
  ['GitLab', project, { repos: 0, projects: 3, deployments: 250 }],
])('%s: what is deployed while the past is taken in comes with the next cycle', async (_, place, size) => {
  const run = await smallRun({ ...size, fetcher: { CI_MAX_REQUESTS_PER_MINUTE: String(requestsPerMinute) } });
  const posted = slowTools(run);
  await run.startFetcher();
  await run.pass(cycleMs);
  const latencies: number[] = [];
  for (let deployment = 0; deployment < 2; deployment += 1) {
    expect((await run.health()).sources[0]?.backfill).not.toBeNull();
    const deployedMs = run.clock.now().getTime();
    const id = await deploy(run, place);
    for (let cycle = 0; cycle < 6 && !posted.has(id); cycle += 1) await run.pass(cycleMs);
    latencies.push((posted.get(id) ?? Number.POSITIVE_INFINITY) - deployedMs);
  }
  expect(Math.max(...latencies)).toBeLessThan(cycleMs + 15 * answerMs);
});
