import { describe, expect, test } from 'vitest';
import { changesInBody, readDelivery } from '../src/adapters/github/delivery.ts';
import type { Json } from '../src/change.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { aDeployment, aJob, aRun, aStatus, type Members, repo } from './support/github-bodies.ts';

const repository = { full_name: repo, url: `https://git.acme/api/v3/repos/${repo}` };

function aBody(members: Members = {}): Json {
  const body = {
    repository,
    deployment: aDeployment(),
    deployment_status: aStatus(),
    workflow_run: aRun(),
    check_run: aJob(),
  };
  return { ...body, ...members } as Json;
}

const read = (event: string | undefined, body: Json = aBody()) =>
  readDelivery({ headers: { 'x-github-event': event }, body });

describe('fetcher §11: a delivery', () => {
  test('of a status contains a deployment, a status, a run and a job', () => {
    expect(read('deployment_status')).toMatchObject({
      repo,
      content: {
        deployment: { id: 101 },
        status: { id: 1001, jobConclusion: 'success' },
        run: { id: 11 },
        job: { id: 7 },
      },
    });
  });

  test('without Actions, a status contains neither run nor job', () => {
    const content = read('deployment_status', aBody({ workflow_run: null, check_run: undefined }))?.content;
    expect(content).toMatchObject({ deployment: { id: 101 }, run: undefined, job: undefined });
    expect(content?.status).not.toHaveProperty('jobConclusion');
  });

  test('of a status has no conclusion for a running job', () => {
    const content = read('deployment_status', aBody({ check_run: aJob({ conclusion: null }) }))?.content;
    expect(content?.status).not.toHaveProperty('jobConclusion');
  });

  test.each(['deployment', 'deployment_review', 'workflow_run'])('of %s becomes a hint', (event) => {
    expect(read(event, { repository })).toEqual({ repo });
  });

  test.each(['push', 'ping', undefined, 'toString'])('of %s is ignored, whatever its body contains', (event) => {
    expect(read(event, null)).toBeUndefined();
  });

  test.each<[string, string, Json]>([
    ['is text', 'deployment', 'hello'],
    ['has no repository', 'workflow_run', {}],
    ['has a repository without a name', 'deployment', { repository: {} }],
    ['has no deployment', 'deployment_status', aBody({ deployment: undefined })],
    ['has no status', 'deployment_status', aBody({ deployment_status: null })],
    ['has a run that is text', 'deployment_status', aBody({ workflow_run: 'run' })],
    ['has a job without an id', 'deployment_status', aBody({ check_run: {} })],
  ])('is refused if it %s', (_, event, body) => {
    expect(() => read(event, body)).toThrow(ShapeFault);
  });
});

describe('fetcher §11.1: the changes read from the body of a delivery alone', () => {
  const told = (members: Members) => {
    const delivery = read('deployment_status', aBody(members));
    return delivery ? changesInBody('github-actions', delivery) : [];
  };

  test('have the members of the body, without parents', () => {
    expect(told({})).toMatchObject([
      {
        ...{ id: 'gh-deploy-101', status: 'success', parents: [] },
        vars: { adapter: 'github-actions', repo, workflow: 'Deploy', job: 'staging', actor: 'bob', run_id: '11' },
      },
    ]);
  });

  test.each<[Members, string | undefined]>([
    [{ deployment_status: aStatus({ state: 'in_progress' }) }, 'in-progress'],
    [{ check_run: aJob({ conclusion: 'cancelled' }) }, 'cancelled'],
    [{ check_run: aJob({ conclusion: 'failure' }), workflow_run: aRun({ conclusion: 'cancelled' }) }, 'failure'],
    [{ check_run: null, workflow_run: aRun({ conclusion: 'cancelled' }) }, 'cancelled'],
    [{ check_run: null, workflow_run: null }, 'failure'],
    [{ deployment_status: aStatus({ state: 'inactive' }) }, undefined],
    [{ deployment_status: aStatus({ state: 'paused' }) }, undefined],
  ])('have a status that depends on the body', (members, status) => {
    const failed = { deployment_status: aStatus({ state: 'failure' }), ...members };
    expect(told(failed).map((change) => change.status)).toEqual(status === undefined ? [] : [status]);
  });

  test('are absent for a hint', () => {
    expect(changesInBody('github-actions', { repo })).toEqual([]);
  });
});
