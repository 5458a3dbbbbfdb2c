import { expect, test } from 'vitest';
import {
  pickApprovals,
  pickArtifacts,
  pickContents,
  pickDeployment,
  pickDeployments,
  pickJobs,
  pickRepositories,
  pickRun,
  pickStatus,
  pickStatuses,
} from '../src/adapters/github/api.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { aDeployment, aFile, aJob, aRun, aStatus, sha } from './support/github-bodies.ts';

test('reads a deployment that has only the required members', () => {
  expect(pickDeployments([aDeployment({ payload: '{"a":1}', more: 'ignored' })])).toEqual([
    {
      ...{ id: 101, sha, ref: 'main', task: 'deploy', payload: '{"a":1}', environment: 'staging', transient: false },
      creator: { login: 'alice', isBot: false },
      createdAt: '2026-05-04T08:00:00Z',
      updatedAt: '2026-05-04T08:05:00Z',
    },
  ]);
});

test('reads missing optional members as empty', () => {
  const { payload: _, task: __, ...bare } = aDeployment({ creator: null });
  expect(pickDeployment(bare)).toMatchObject({ payload: null, task: '', creator: undefined });
  expect(pickStatus(aStatus({ creator: null, log_url: null, target_url: 7 }))).toMatchObject({
    ...{ creator: undefined, url: '', runId: '', jobId: undefined },
  });
  const { run_attempt: ___, ...run } = aRun({ conclusion: null, triggering_actor: null });
  expect(pickRun(run)).toMatchObject({ attempt: 1, conclusion: '', actor: undefined });
});

test.each([
  [{ login: 'a', type: 'Bot' }, true],
  [{ login: 'a[bot]', type: 'User' }, true],
  [{ login: 'robot', type: 'User' }, false],
])('detects whether GitHub account %o is a bot: %s', (creator, isBot) => {
  expect(pickStatus(aStatus({ creator })).creator?.isBot).toBe(isBot);
});

test('the actor of the latest attempt takes precedence over the first actor', () => {
  const actor = { login: 'carol', type: 'User' };
  expect(pickRun(aRun({ actor })).actor?.login).toBe('bob');
  expect(pickRun(aRun({ actor, triggering_actor: undefined })).actor?.login).toBe('carol');
});

test('repositories are read from the lists of an owner and of an installation', () => {
  const repositories = [{ full_name: 'acme/shop', archived: true }, { full_name: 'acme/new' }];
  const expected = [
    { fullName: 'acme/shop', archived: true },
    { fullName: 'acme/new', archived: false },
  ];
  expect(pickRepositories(repositories)).toEqual(expected);
  expect(pickRepositories({ total_count: 2, repositories })).toEqual(expected);
});

test('reads approvals, jobs and artifacts', () => {
  const environments = [{ id: 1, name: 'prod' }];
  expect(pickApprovals([{ state: 'rejected', environments }])).toEqual([{ state: 'rejected', environments: ['prod'] }]);
  expect(pickJobs({ jobs: [aJob({ conclusion: null, status: 'queued' })] })).toEqual([
    { id: 7, name: 'staging', attempt: 1, conclusion: '', isCompleted: false },
  ]);
  const artifact = { id: 5, name: 'version', expired: true };
  expect(pickArtifacts({ artifacts: [artifact] })).toEqual([artifact]);
});

test('a file is read as text of at most 512 KiB', () => {
  const lines = aFile('ä'.repeat(100)).content.replace(/.{60}/g, '$&\n');
  expect(pickContents({ ...aFile(''), content: lines })).toBe('ä'.repeat(100));
  expect(pickContents(aFile('a'.repeat(512 * 1024)))).toHaveLength(512 * 1024);
  expect(() => pickContents(aFile('a'.repeat(512 * 1024 + 1)))).toThrow(ShapeFault);
});

test.each<[string, () => unknown]>([
  ['an object instead of a list', () => pickDeployments({})],
  ['a list instead of a deployment', () => pickDeployments([[]])],
  ['null', () => pickDeployment(null)],
  ['an id too large for a number', () => pickDeployment(aDeployment({ id: 2 ** 53 }))],
  ['an id as text', () => pickDeployment(aDeployment({ id: '101' }))],
  ['an id that is a fraction', () => pickStatus(aStatus({ id: 1.5 }))],
  ['an invalid instant', () => pickDeployment(aDeployment({ created_at: 'yesterday' }))],
  ['no instant', () => pickStatus(aStatus({ created_at: null }))],
  ['an environment that is not text', () => pickDeployment(aDeployment({ environment: 1 }))],
  ['a creator as text', () => pickDeployment(aDeployment({ creator: 'alice' }))],
  ['a creator without a name', () => pickDeployment(aDeployment({ creator: {} }))],
  ['no statuses', () => pickStatuses('')],
  ['a run without a commit', () => pickRun(aRun({ head_sha: null }))],
  ['an attempt as text', () => pickRun(aRun({ run_attempt: '1' }))],
  ['jobs that are not a list', () => pickJobs({ jobs: {} })],
  ['environments of an approval without a name', () => pickApprovals([{ state: 'rejected', environments: [{}] }])],
  ['a folder', () => pickContents([])],
  ['a link instead of a file', () => pickContents({ ...aFile(''), type: 'symlink' })],
  ['a file too large to be included', () => pickContents({ ...aFile(''), encoding: 'none' })],
  ['missing artifacts', () => pickArtifacts({})],
  ['a repository without a name', () => pickRepositories([{}])],
])('refuses a response of another shape: %s', (_, pick) => {
  expect(pick).toThrow(ShapeFault);
});
