import { describe, expect, test } from 'vitest';
import { jobsNamed, neededBy, type WorkflowJob, workflowJobs } from '../src/adapters/github/workflow.ts';
import { ShapeFault } from '../src/tool/shape.ts';

const path = '.github/workflows/deploy.yml';

/** The jobs of each workflow file, by file name. The run uses the first file. */
async function jobsOf(files: Record<string, string>): Promise<WorkflowJob[]> {
  const [first = ''] = Object.keys(files);
  return workflowJobs(`.github/workflows/${first}`, async (at) => files[at.replace('.github/workflows/', '')]);
}

const jobsIn = (jobs: string) => jobsOf({ 'deploy.yml': `on: [push]\njobs:\n${jobs}` });

function aJob(fields: Partial<WorkflowJob> = {}): WorkflowJob {
  return { key: 'a', levels: [['a']], needs: [], environment: undefined, isOpaque: false, ...fields };
}

describe('a workflow file', () => {
  test.each([
    ['{environment: prod}', { environment: 'prod' }],
    ['{environment: {name: prod, url: x}}', { environment: 'prod' }],
    [`{environment: "prod-\${{ matrix.region }}"}`, { environment: null }],
    ['{environment: ""}', { environment: undefined }],
    ['{environment: 7}', { environment: undefined }],
    ['{needs: b}', { needs: ['b'] }],
    ['{needs: [b, c, 7]}', { needs: ['b', 'c'] }],
    ['{needs: {b: c}}', { needs: [] }],
    ['{name: To prod}', { levels: [['To prod', 'a']] }],
    ['{name: 7}', { levels: [['a']] }],
    ['{uses: other/repo/.github/workflows/x.yml@main}', { environment: null, isOpaque: true }],
    ['{uses: ./.github/workflows/missing.yml}', { environment: null, isOpaque: true }],
    ['{uses: ./../../etc/passwd}', { environment: null, isOpaque: true }],
  ])('contains a job %s', async (text, fields) => {
    expect(await jobsIn(`  a: ${text}`)).toEqual([aJob(fields)]);
  });

  test.each([
    ['no YAML', '{'],
    ['a list', '[]'],
    ['no jobs', 'on: [push]'],
    ['jobs as text', 'jobs: all'],
    ['a job as text', 'jobs: {a: b}'],
    ['a custom tag', 'jobs: {a: {environment: !env prod}}'],
    ['a duplicate key', 'jobs: {a: {}, a: {}}'],
    ['too many aliases', `a: &a [x]\nb: &b [${'*a,'.repeat(60)}]\njobs: {a: {needs: [${'*b,'.repeat(60)}]}}`],
  ])('is refused with %s', async (_, text) => {
    await expect(jobsOf({ 'deploy.yml': text })).rejects.toThrow(ShapeFault);
  });

  test('may contain a few aliases', async () => {
    expect(await jobsIn('  b: &b {environment: prod}\n  c: *b')).toHaveLength(2);
  });

  test.each(['dynamic/pages/deployment', '../secrets.yml', `${path}/../x.yml`, ''])(
    'is not requested for the path "%s"',
    async (at) => {
      await expect(workflowJobs(at, async () => 'jobs: {a: {}}')).rejects.toThrow(ShapeFault);
    },
  );
});

describe('fetcher §9.4: a local reusable workflow', () => {
  const release = 'jobs: {test: {}, deploy: {needs: test, environment: prod, name: Release it}}';
  const call = '{uses: ./.github/workflows/release.yml}';

  test('replaces its caller', async () => {
    const jobs = await jobsOf({
      'deploy.yml': `jobs: {first: {}, ship: {name: Ship, needs: first, uses: ./.github/workflows/release.yml}}`,
      'release.yml': release,
    });
    expect(jobs).toEqual([
      aJob({ key: 'first', levels: [['first']] }),
      aJob({ key: 'ship / test', levels: [['Ship', 'ship'], ['test']], needs: ['first'] }),
      aJob({
        key: 'ship / deploy',
        levels: [
          ['Ship', 'ship'],
          ['Release it', 'deploy'],
        ],
        needs: ['ship / test'],
        environment: 'prod',
      }),
    ]);
  });

  test('contributes all its jobs if its caller is needed', async () => {
    const jobs = await jobsOf({
      'deploy.yml': `jobs: {ship: ${call}, ships: {}, last: {needs: ship}}`,
      'release.yml': release,
    });
    const last = jobs.find(({ key }) => key === 'last') ?? aJob();
    expect(neededBy(last, jobs).map(({ key }) => key)).toEqual(['ship / test', 'ship / deploy']);
  });

  test('is read once, up to four levels deep', async () => {
    const asked: string[] = [];
    const jobs = await workflowJobs(path, async (at) => {
      asked.push(at);
      return `jobs: {a: {uses: ./${path}}}`;
    });
    expect(jobs).toMatchObject([{ key: 'a / a / a / a / a', isOpaque: true }]);
    expect(asked).toEqual([path]);
  });

  test('cannot create an unlimited number of jobs', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => `j${index}: {uses: ./${path}}`).join(', ');
    await expect(workflowJobs(path, async () => `jobs: {${calls}}`)).rejects.toThrow('more than 1000 jobs');
  });
});

describe('a job name from the API', () => {
  const file: Record<string, string> = {
    'deploy.yml': `jobs:
  build: {}
  deploy: {name: To prod}
  deploy-eu: {name: To prod (eu)}
  deploy-all: {}
  twin-1: {name: Twin}
  twin-2: {name: Twin}
  paren: {name: Deploy (eu)}
  told: {name: "Told \${{ matrix.region }} by \${{ github.actor }}."}
  ship: {name: Ship, uses: ./.github/workflows/release.yml}
  away: {uses: other/repo/.github/workflows/x.yml@v1}
`,
    'release.yml': 'jobs: {deploy: {}}',
  };

  test.each([
    ['build', 'build'],
    ['To prod', 'deploy'],
    ['To prod (eu)', 'deploy-eu'],
    ['deploy', 'deploy'],
    ['deploy (eu, 1)', 'deploy'],
    ['deploy (linux / amd64)', 'deploy'],
    ['deploy-all', 'deploy-all'],
    ['deploy-al', ''],
    ['deploy (eu', ''],
    ['Twin', 'twin-1 twin-2'],
    ['Deploy (eu)', 'paren'],
    ['Deploy (eu) (us)', 'paren'],
    ['Told eu by me.', 'told'],
    ['Told eu.', ''],
    ['Told by eu by me', ''],
    ['Ship / deploy', 'ship / deploy'],
    ['ship (a / b) / deploy (eu)', 'ship / deploy'],
    ['ship (a) (b) / deploy', 'ship / deploy'],
    ['Ship', ''],
    ['away / anything / at all', 'away'],
    ['away (eu) / anything', 'away'],
    ['', ''],
  ])('"%s" belongs to the job "%s"', async (name, keys) => {
    const jobs = await jobsOf(file);
    expect(
      jobsNamed(name, jobs)
        .map(({ key }) => key)
        .join(' '),
    ).toBe(keys);
  });

  test('is matched in bounded time', async () => {
    const deep = aJob({ levels: Array.from({ length: 5 }, () => ['a']) });
    const expressions = aJob({ levels: [[`\${{`.repeat(300)], [`\${{a}}x`.repeat(140)]] });
    expect(jobsNamed(`a (${') / a ('.repeat(700)}`, [deep, expressions])).toEqual([]);
    expect(jobsNamed('x'.repeat(1_000_000), [deep, expressions])).toEqual([]);
  });
});
