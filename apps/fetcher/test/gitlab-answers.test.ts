import { expect, test } from 'vitest';
import { pickDeployments, pickFailureReason, pickProject } from '../src/adapters/gitlab/answers.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { shownDeployment } from './support/gitlab-answers.ts';

test('a deployment is read with its job and its pipeline', () => {
  expect(pickDeployments([shownDeployment()])).toEqual([
    {
      id: 701,
      status: 'success',
      createdAt: '2026-05-04T08:10:00.000Z',
      updatedAt: '2026-05-04T08:15:00.000Z',
      ref: 'main',
      sha: 'b'.repeat(40),
      actor: 'olivia',
      environment: 'dev',
      job: {
        id: 7101,
        name: 'deploy-dev',
        isTag: false,
        startedAt: '2026-05-04T08:11:00.000Z',
        finishedAt: '2026-05-04T08:15:00.000Z',
        webUrl: 'https://gitlab.com/acme/ledger/-/jobs/7101',
        pipeline: { id: 71, iid: 1, createdAt: '2026-05-04T08:09:59.000Z' },
      },
    },
  ]);
});

test.each<[what: string, fields: Readonly<Record<string, unknown>>, expected: object]>([
  ['an account', { user: null }, { actor: '' }],
  ['an environment', { environment: null }, { environment: '' }],
  ['ref and sha', { ref: null, sha: null }, { ref: '', sha: '' }],
])('reads a missing %s as empty', (_, fields, expected) => {
  expect(pickDeployments([shownDeployment(fields)])[0]).toMatchObject(expected);
});

test('a deployment created by the API has no job', () => {
  expect(pickDeployments([shownDeployment({ deployable: null })])[0]).not.toHaveProperty('job');
});

test.each<[what: string, body: unknown]>([
  ['an object', {}],
  ['null', null],
  ['an array of texts', ['a']],
  ['an id as text', [shownDeployment({ id: '701' })]],
  ['an id too large for a number', [shownDeployment({ id: 2 ** 53 })]],
  ['an id below 0', [shownDeployment({ id: -1 })]],
  ['no status', [shownDeployment({ status: undefined })]],
  ['no instant', [shownDeployment({ updated_at: 'yesterday' })]],
  ['an instant as a number', [shownDeployment({ created_at: 1_777_882_200 })]],
  ['a day that does not exist', [shownDeployment({ created_at: '2026-02-30T08:10:00.000Z' })]],
  ['an environment as text', [shownDeployment({ environment: 'dev' })]],
  ['a job as an array', [shownDeployment({ deployable: [] })]],
  ['an invalid start', [shownDeployment({ deployable: { id: 1, started_at: 'soon' } })]],
])('refuses %s instead of deployments', (_, body) => {
  expect(() => pickDeployments(body)).toThrow(ShapeFault);
});

test('a job may have no failure reason', () => {
  expect([pickFailureReason({ failure_reason: 'x' }), pickFailureReason({})]).toEqual(['x', '']);
  expect(() => pickFailureReason('x')).toThrow(ShapeFault);
});

test('refuses a project without a path', () => {
  expect(pickProject({ id: 7, path_with_namespace: 'a/b', archived: true })).toEqual({
    id: 7,
    path: 'a/b',
    isArchived: true,
  });
  expect(() => pickProject({ id: 7 })).toThrow('path_with_namespace');
});
