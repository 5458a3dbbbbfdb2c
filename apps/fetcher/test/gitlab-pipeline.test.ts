import { expect, test } from 'vitest';
import { jobsQuery, type Made, parentsIn, pickJobsPage } from '../src/adapters/gitlab/pipeline.ts';
import { ShapeFault } from '../src/tool/shape.ts';

type Needs = Readonly<Record<string, readonly [stage: string, needs?: readonly string[]]>>;

const stages = ['build', 'dev', 'test', 'prod'];

function graphOf(jobs: Needs) {
  const entries = Object.entries(jobs).map(
    ([name, [stage, needs]]) => [name, { stage, ...(needs && { needs }) }] as const,
  );
  return { stages, jobs: new Map(entries) };
}

const chain: Needs = { build: ['build'], dev: ['dev'], e2e: ['test'], prod: ['prod'] };

test.each<[what: string, jobs: Needs, made: readonly Made[], expected: readonly number[]]>([
  ['those in the nearest earlier stage that deploys', chain, [{ id: 1, job: 'dev' }], [1]],
  [
    'all deployments of that stage',
    { 'dev-eu': ['dev'], 'dev-us': ['dev'], prod: ['prod'] },
    [
      { id: 2, job: 'dev-us' },
      { id: 1, job: 'dev-eu' },
    ],
    [1, 2],
  ],
  [
    'the newest of a job that was retried',
    chain,
    [
      { id: 3, job: 'dev' },
      { id: 1, job: 'dev' },
    ],
    [3],
  ],
  [
    'those of needed jobs, not of the stage before',
    { dev: ['dev'], other: ['dev'], prod: ['prod', ['dev']] },
    [
      { id: 1, job: 'dev' },
      { id: 2, job: 'other' },
    ],
    [1],
  ],
  [
    'those that a needed job without a deployment needs',
    { dev: ['dev'], other: ['dev'], e2e: ['test', ['dev']], prod: ['prod', ['e2e']] },
    [
      { id: 1, job: 'dev' },
      { id: 2, job: 'other' },
    ],
    [1],
  ],
  [
    'those in the stage before a needed job with neither deployment nor needs',
    { dev: ['dev'], e2e: ['test'], prod: ['prod', ['e2e']] },
    [{ id: 1, job: 'dev' }],
    [1],
  ],
  ['none beyond a job that deploys', { build: ['build'], dev: ['dev'], prod: ['prod'] }, [{ id: 1, job: 'dev' }], [1]],
  ['none with needs: []', { dev: ['dev'], prod: ['prod', []] }, [{ id: 1, job: 'dev' }], []],
  ['none if no deployment exists', chain, [], []],
  ['none in later stages', { prod: ['dev'], late: ['prod'] }, [{ id: 9, job: 'late' }], []],
  [
    'found even if jobs need each other in a circle',
    { a: ['dev', ['b']], b: ['dev', ['a', 'prod']], prod: ['prod', ['a']] },
    [{ id: 5, job: 'prod' }],
    [],
  ],
  ['none for a job that the pipeline does not contain', {}, [{ id: 1, job: 'dev' }], []],
])('§10.4: the parents are %s', (_, jobs, made, expected) => {
  expect(parentsIn(graphOf(jobs), 'prod', made)).toEqual(expected);
});

test('the query contains its operation name, the path and the number of the pipeline', () => {
  const { operationName, query, variables } = jobsQuery('acme/ledger', 7);
  expect([operationName, variables]).toEqual(['ShiplogPipelineJobs', { fullPath: 'acme/ledger', iid: '7' }]);
  expect(query).toContain('query ShiplogPipelineJobs(');
  expect(jobsQuery('acme/ledger', 7, 'abc').variables).toEqual({ fullPath: 'acme/ledger', iid: '7', after: 'abc' });
});

function answerOf(jobs: readonly object[], pageInfo?: object) {
  return { data: { project: { pipeline: { stages: { nodes: [{ name: 'dev' }] }, jobs: { nodes: jobs, pageInfo } } } } };
}

test('a job without needs waits for earlier stages unless GitLab schedules it by needs', () => {
  const job = { name: 'a', stage: { name: 'dev' }, needs: { nodes: [] } };
  const page = pickJobsPage(
    answerOf([job, { ...job, name: 'b', schedulingType: 'dag' }, { ...job, name: 'c', needs: { nodes: [job] } }]),
  );
  expect([...(page?.jobs ?? [])]).toEqual([
    ['a', { stage: 'dev' }],
    ['b', { stage: 'dev', needs: [] }],
    ['c', { stage: 'dev', needs: ['a'] }],
  ]);
});

test('the jobs of a large pipeline are read page by page', () => {
  expect(pickJobsPage(answerOf([], { hasNextPage: true, endCursor: 'abc' }))?.after).toBe('abc');
  expect(pickJobsPage(answerOf([], { hasNextPage: false, endCursor: 'abc' }))?.after).toBeUndefined();
});

test.each([
  ['an answer without a project', { data: { project: null } }],
  ['an answer without a pipeline', { data: { project: { pipeline: null } } }],
])('finds no jobs in %s', (_, body) => {
  expect(pickJobsPage(body)).toBeUndefined();
});

test.each([null, [], { errors: [{ message: 'no' }] }, { data: { project: { pipeline: {} } } }, answerOf([{}])])(
  'refuses the response %j',
  (body) => {
    expect(() => pickJobsPage(body)).toThrow(ShapeFault);
  },
);
