import { describe, expect, test } from 'vitest';
import { pickDeployment, pickStatus } from '../src/adapters/github/api.ts';
import { Translator } from '../src/adapters/github/translator.ts';
import { PlaceRefused, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import { aDeployment, aJob, aRun, aStatus, type Members, repo, urlOf } from './support/github-bodies.ts';
import { scriptedTool, type TestTool } from './support/github-tool.ts';

const { signal } = new AbortController();
const runPath = `/repos/${repo}/actions/runs/11`;

interface Scene {
  readonly run?: Members | Error;
  readonly job?: Members | Error;
  readonly approvals?: readonly { readonly state: string; readonly environment: string }[] | Error;
  readonly status?: Members;
  readonly jobConclusion?: string;
}

function answersOf({ run = {}, job = {}, approvals = [] }: Scene): Record<string, unknown> {
  const rows = (list: readonly { state: string; environment: string }[]) =>
    list.map(({ state, environment }) => ({ state, environments: [{ name: environment }] }));
  return {
    [runPath]: run instanceof Error ? run : aRun(run),
    [`${runPath}/jobs`]: job instanceof Error ? job : { jobs: [aJob(job)] },
    [`${runPath}/approvals`]: approvals instanceof Error ? approvals : rows(approvals as never),
  };
}

/** The statuses of the changes that result from a failure; `held` if the failure is not reported yet. */
async function verdict(scene: Scene, tool: TestTool = scriptedTool(answersOf(scene))) {
  return verdictBy(new Translator(tool, { adapter: 'github-actions' }), scene);
}

async function verdictBy(translator: Translator, { status, jobConclusion }: Scene): Promise<string> {
  const picked = pickStatus(aStatus({ state: 'failure', ...status }));
  const told = jobConclusion === undefined ? picked : { ...picked, jobConclusion };
  const { changes, held } = await translator.changesOf(repo, pickDeployment(aDeployment()), [told], signal);
  return [...changes.map((change) => change.status), ...(held ? ['held'] : [])].join(' ');
}

const justFailed = { created_at: '2026-05-04T08:59:00Z' };
const withoutJob = { log_url: urlOf(11) };
const gone = new PlaceRefused('Not Found', 404);

describe('fetcher §9.3: the verdict on a failure', () => {
  test.each<[string, Scene, string]>([
    ['a failed job', { job: { conclusion: 'failure' } }, 'failure'],
    ['an error', { job: { conclusion: 'failure' }, status: { state: 'error' } }, 'failure'],
    ['a cancelled job', { job: { conclusion: 'cancelled' } }, 'cancelled'],
    ['a failed job in a cancelled run', { run: { conclusion: 'cancelled' } }, 'failure'],
    ['a cancelled run without a job', { run: { conclusion: 'cancelled' }, status: withoutJob }, 'cancelled'],
    ['a failed run without a job', { run: { conclusion: 'failure' }, status: withoutJob }, 'failure'],
    ['an unlisted job in a cancelled run', { job: { id: 8 }, run: { conclusion: 'cancelled' } }, 'cancelled'],
    ['a rejection for its environment', { approvals: [{ state: 'rejected', environment: 'Staging' }] }, 'rejected'],
    ['a rejection for another environment', { approvals: [{ state: 'rejected', environment: 'prod' }] }, 'failure'],
    ['an approval for its environment', { approvals: [{ state: 'approved', environment: 'staging' }] }, 'failure'],
    [
      'a rejection in a cancelled run',
      { approvals: [{ state: 'rejected', environment: 'staging' }], job: { conclusion: 'cancelled' } },
      'rejected',
    ],
    ['the job conclusion in a delivery', { job: { conclusion: null }, jobConclusion: 'cancelled' }, 'cancelled'],
    [
      'the job conclusion in a delivery without Actions',
      { jobConclusion: 'cancelled', status: { log_url: '' } },
      'cancelled',
    ],
    ['no Actions', { status: { log_url: '' } }, 'failure'],
    ['a missing run', { run: gone, job: gone, approvals: gone, status: justFailed }, 'failure'],
    ['refused approvals', { approvals: gone, job: { conclusion: 'cancelled' } }, 'cancelled'],
    ['refused jobs', { job: gone, run: { conclusion: 'cancelled' } }, 'cancelled'],
  ])('%s', async (_, scene, expected) => {
    expect(await verdict(scene)).toBe(expected);
  });

  const unfinished = { run: { conclusion: null, status: 'in_progress' }, job: { conclusion: null } };

  test.each<[string, Scene, string]>([
    ['08:50:01', unfinished, 'held'],
    ['08:50:00', unfinished, 'failure'],
    ['08:59:00', { ...unfinished, job: { conclusion: 'failure' } }, 'failure'],
    ['08:59:00', { ...unfinished, run: { conclusion: 'cancelled' } }, 'cancelled'],
    ['08:59:00', { ...unfinished, job: gone }, 'held'],
    ['08:59:00', { ...unfinished, run: gone }, 'held'],
  ])('waits at most 10 min for a conclusion: at %s after 09:00 with %o', async (at, scene, expected) => {
    expect(await verdict({ ...scene, status: { created_at: `2026-05-04T${at}Z` } })).toBe(expected);
  });

  test('is reported as soon as the job has concluded', async () => {
    const answers = answersOf(unfinished);
    const translator = new Translator(scriptedTool(answers), { adapter: 'github-actions' });
    expect(await verdictBy(translator, { status: justFailed })).toBe('held');
    Object.assign(answers, answersOf({ job: { conclusion: 'cancelled' } }));
    expect(await verdictBy(translator, { status: justFailed })).toBe('cancelled');
  });

  test('delays later statuses but not earlier ones', async () => {
    const tool = scriptedTool(answersOf(unfinished));
    const statuses = ['in_progress', 'failure', 'queued'].map((state, index) =>
      pickStatus(aStatus({ id: index, state, ...justFailed })),
    );
    const translator = new Translator(tool, { adapter: 'github-actions' });
    const { changes, held } = await translator.changesOf(repo, pickDeployment(aDeployment()), statuses, signal);
    expect([changes.map(({ status }) => status), held]).toEqual([['in-progress'], true]);
  });

  test('is requested only once', async () => {
    const tool = scriptedTool(answersOf({ job: { conclusion: 'cancelled' } }));
    const translator = new Translator(tool, { adapter: 'github-actions' });
    await verdictBy(translator, {});
    const asked = tool.asked.length;
    expect(await verdictBy(translator, {})).toBe('cancelled');
    expect(tool.asked).toHaveLength(asked);
  });

  test('is retried by later polls if the tool is unreachable, up to three attempts in all', async () => {
    const tool = scriptedTool(answersOf({ approvals: new ToolAway('502'), job: { conclusion: 'cancelled' } }));
    const translator = new Translator(tool, { adapter: 'github-actions' });
    await expect(verdictBy(translator, {})).rejects.toThrow(ToolAway);
    await expect(verdictBy(translator, {})).rejects.toThrow(ToolAway);
    expect(await verdictBy(translator, {})).toBe('cancelled');
  });

  test('pauses the whole source at a rate limit', async () => {
    await expect(verdict({ approvals: new SourcePaused('no budget', 5) })).rejects.toThrow(SourcePaused);
  });
});
