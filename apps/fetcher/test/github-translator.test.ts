import { describe, expect, test } from 'vitest';
import { pickDeployment, pickStatus } from '../src/adapters/github/api.ts';
import { Translator } from '../src/adapters/github/translator.ts';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import { aDeployment, aFile, aJob, aRun, aStatus, type Members, repo, sha, urlOf } from './support/github-bodies.ts';
import { scriptedTool } from './support/github-tool.ts';

const { signal } = new AbortController();
const base = `/repos/${repo}`;
const runPath = `${base}/actions/runs/11`;
const jobsPath = `${runPath}/jobs?filter=all&per_page=100`;
const filePath = `${base}/contents/.github/workflows/deploy.yml?ref=${sha}`;
const siblingsPath = `${base}/deployments?sha=${sha}&environment=dev&per_page=100`;

/** Run 11: job 6 deployed 100 to `dev`, then job 7 deploys 101 to `staging`. */
function answers(): Record<string, unknown> {
  return {
    [runPath]: aRun(),
    [`${runPath}/jobs`]: { jobs: [aJob({ id: 6, name: 'dev' }), aJob()] },
    [`${runPath}/approvals`]: [],
    [filePath]: aFile('jobs: {dev: {environment: dev}, staging: {needs: dev, environment: staging}}'),
    [siblingsPath]: [dev, stranger, older].map(aDeployment),
    [`${base}/deployments/100/statuses`]: [aStatus({ log_url: urlOf(11, 6) })],
    [`${base}/deployments/99/statuses`]: [aStatus({ log_url: urlOf(12, 6) })],
  };
}

const dev = { id: 100, environment: 'dev' };
const stranger = { id: 99, environment: 'dev' };
const older = { id: 98, environment: 'dev', created_at: '2026-05-04T07:54:59Z' };

function aTranslator(changed: Record<string, unknown> = {}) {
  const tool = scriptedTool({ ...answers(), ...changed });
  const translator = new Translator(tool, { adapter: 'github-actions' });
  const changesOf = (deployment: Members = {}, ...statuses: Members[]) =>
    translator.changesOf(
      repo,
      pickDeployment(aDeployment(deployment)),
      (statuses.length > 0 ? statuses : [{}]).map((status) => pickStatus(aStatus(status))),
      signal,
    );
  return { tool, translator, changesOf };
}

describe('a deployment of Actions', () => {
  test('has its run, job and parents in its changes', async () => {
    const { tool, changesOf } = aTranslator();
    const { changes, held, unknown } = await changesOf();
    expect([held, unknown]).toEqual([false, []]);
    expect(changes).toMatchObject([
      { id: 'gh-deploy-101', parents: ['gh-deploy-100'], vars: { workflow: 'Deploy', job: 'staging', actor: 'bob' } },
    ]);
    const statuses = (id: number) => `${base}/deployments/${id}/statuses?per_page=100`;
    expect(tool.asked).toEqual([runPath, jobsPath, filePath, siblingsPath, statuses(100), statuses(99)]);
  });

  test('requests its run and jobs once for all statuses', async () => {
    const { tool, changesOf } = aTranslator();
    const statuses = [{ id: 1, state: 'queued' }, { id: 2, state: 'in_progress' }, { id: 3 }];
    const first = await changesOf({}, ...statuses);
    const asked = tool.asked.length;
    expect(asked).toBe(6);
    expect(first.changes.map(({ parents }) => parents)).toEqual(Array(3).fill(['gh-deploy-100']));
    expect(await changesOf({}, ...statuses)).toEqual(first);
    expect(tool.asked).toHaveLength(asked);
  });

  test('uses cached parents', async () => {
    const { tool, changesOf } = aTranslator();
    await changesOf(dev, { log_url: urlOf(11, 6) });
    const { changes } = await changesOf();
    expect(changes[0]?.parents).toEqual(['gh-deploy-100']);
    expect(tool.asked).toEqual([runPath, jobsPath, filePath]);
  });

  test('fetcher §9.4: requests its parents again after 200 later runs', async () => {
    const { tool, changesOf } = aTranslator();
    await changesOf();
    const asked = tool.asked.length;
    for (let run = 1000; run < 1199; run += 1) await changesOf({}, { log_url: urlOf(run) });
    await changesOf();
    expect(tool.asked).toHaveLength(asked + 199);
    for (let run = 2000; run < 2200; run += 1) await changesOf({}, { log_url: urlOf(run) });
    await changesOf();
    expect(tool.asked).toHaveLength(asked + 399 + asked);
  });

  test('requests its jobs again while its run continues, if the cached response is not enough', async () => {
    const queued = aJob({ id: 6, name: 'dev', conclusion: null, status: 'queued' });
    const running: Record<string, unknown> = { ...answers(), [`${runPath}/jobs`]: { jobs: [queued] } };
    const translator = new Translator(scriptedTool(running), { adapter: 'github-actions' });
    const look = (deployment: Members, status: Members) =>
      translator.changesOf(repo, pickDeployment(aDeployment(deployment)), [pickStatus(aStatus(status))], signal);
    await look(dev, { log_url: urlOf(11, 6) });
    running[`${runPath}/jobs`] = { jobs: [aJob({ id: 6, name: 'dev' }), aJob({ run_attempt: 2 })] };
    running[runPath] = aRun({ run_attempt: 2, triggering_actor: { login: 'eve' } });
    const { changes } = await look({}, {});
    expect(changes).toMatchObject([{ parents: ['gh-deploy-100'], vars: { job: 'staging', actor: 'eve' } }]);
  });

  test('requests the statuses of a deployment until it has a run', async () => {
    const statusesPath = `${base}/deployments/99/statuses`;
    const changed: Record<string, unknown> = { ...answers(), [statusesPath]: [aStatus({ log_url: '' })] };
    const translator = new Translator(scriptedTool(changed), { adapter: 'github-actions' });
    const look = async (jobId: number) => {
      const status = pickStatus(aStatus({ log_url: urlOf(11, jobId) }));
      const { changes } = await translator.changesOf(repo, pickDeployment(aDeployment()), [status], signal);
      return changes[0]?.parents;
    };
    changed[`${runPath}/jobs`] = {
      jobs: [aJob({ id: 6, name: 'dev' }), aJob({ id: 5, name: 'dev' }), aJob(), aJob({ id: 8 })],
    };
    expect(await look(7)).toEqual(['gh-deploy-100']);
    changed[statusesPath] = [aStatus({ log_url: urlOf(11, 5) })];
    expect(await look(8)).toEqual(['gh-deploy-100', 'gh-deploy-99']);
  });

  test('returns unknown statuses', async () => {
    const { changes, unknown } = await aTranslator().changesOf({}, { state: 'paused' }, { id: 1002 });
    expect([changes.length, unknown]).toEqual([1, ['paused']]);
  });

  test('sends no further requests without `needs`', async () => {
    const { tool, changesOf } = aTranslator({ [filePath]: aFile('jobs: {staging: {environment: staging}}') });
    expect((await changesOf()).changes[0]?.parents).toEqual([]);
    expect(tool.asked).toEqual([runPath, jobsPath, filePath]);
  });
});

test.each(['', 'https://ci.example/deploy/7', urlOf(Number.MAX_SAFE_INTEGER)])(
  'fetcher §9.5: without Actions no requests are sent: "%s"',
  async (url) => {
    const { tool, changesOf } = aTranslator();
    const { changes } = await changesOf({}, { log_url: url, state: 'failure' });
    expect(changes).toMatchObject([{ status: 'failure', parents: [], vars: { run_url: url, actor: 'alice' } }]);
    expect(tool.asked).toEqual([]);
  },
);

test('a refused run counts as absent and is requested once', async () => {
  const { tool, changesOf } = aTranslator({ [runPath]: new PlaceRefused('Not Found', 404) });
  for (const _ of [1, 2]) {
    expect((await changesOf()).changes).toMatchObject([
      { parents: [], vars: { workflow: '', job: '', actor: 'alice' } },
    ]);
  }
  expect(tool.asked).toEqual([runPath]);
});

test('later polls retry a run that the tool cannot show, up to three attempts in all', async () => {
  const { tool, changesOf } = aTranslator({ [runPath]: new ToolAway('502') });
  await expect(changesOf()).rejects.toThrow(ToolAway);
  await expect(changesOf()).rejects.toThrow(ToolAway);
  expect((await changesOf()).changes).toMatchObject([{ vars: { workflow: '', actor: 'alice' } }]);
  await changesOf();
  expect(tool.asked).toEqual([runPath, runPath, runPath]);
});

describe('fetcher §9.4: a failed request for parents results in no parents and no delay', () => {
  const places = {
    jobs: `${runPath}/jobs`,
    file: filePath,
    siblings: siblingsPath,
    statuses: `${base}/deployments/100/statuses`,
  };

  test.each(
    Object.entries(places).flatMap(([place, path]) => [
      [place, path, new ToolAway('502')] as const,
      [place, path, new PlaceRefused('no', 403)] as const,
      [place, path, 'an answer of another shape'] as const,
    ]),
  )('%s', async (_, path, fault) => {
    expect((await aTranslator({ [path]: fault }).changesOf()).changes).toMatchObject([
      { parents: [], vars: { actor: 'bob' } },
    ]);
  });

  test.each(['{', 'jobs: {a: {environment: !x y}}', ''])('a file that is not a workflow: %s', async (text) => {
    expect((await aTranslator({ [filePath]: aFile(text) }).changesOf()).changes[0]?.parents).toEqual([]);
  });

  test.each(
    Object.values({ run: runPath, ...places }).flatMap((path) => [
      [path, new SourcePaused('no budget', 5)] as const,
      [path, new AuthFailed('401')] as const,
    ]),
  )('but an error that concerns the whole source stops the poll: %s', async (path, fault) => {
    await expect(aTranslator({ [path]: fault }).changesOf()).rejects.toBe(fault);
  });

  test('and the next poll finds the missing parents', async () => {
    const changed: Record<string, unknown> = { ...answers(), [siblingsPath]: new ToolAway('502') };
    const translator = new Translator(scriptedTool(changed), { adapter: 'github-actions' });
    const look = async () =>
      (await translator.changesOf(repo, pickDeployment(aDeployment()), [pickStatus(aStatus())], signal)).changes[0]
        ?.parents;
    expect(await look()).toEqual([]);
    changed[siblingsPath] = answers()[siblingsPath];
    expect(await look()).toEqual(['gh-deploy-100']);
  });
});
