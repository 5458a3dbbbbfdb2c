import { describe, expect, test } from 'vitest';
import { type Own, parentsOf, type Relative } from '../src/adapters/github/parents.ts';
import { workflowJobs } from '../src/adapters/github/workflow.ts';

interface JobRow {
  readonly id: number;
  readonly name: string;
  readonly attempt?: number;
  readonly conclusion?: string;
}

interface Made {
  readonly id: number;
  readonly environment?: string;
  readonly jobs?: readonly number[];
}

interface Scene {
  /** Jobs in the workflow file: `a: {…}`. */
  readonly file: string;
  readonly jobs: readonly JobRow[];
  /** All deployments of the run; those in `known` are already cached. */
  readonly made: readonly Made[];
  readonly known?: readonly number[];
}

/**
 * The parents of deployment 900, and the requests that were sent. Job 90 created the deployment in environment `own`.
 */
async function parents({ file, jobs, made, known = [] }: Scene, own: Partial<Own> = {}) {
  const asked: string[] = [];
  const relatives = new Map<number, Relative>();
  const learn = (wanted: (one: Made) => boolean) => {
    for (const one of made.filter(wanted)) {
      const { id, environment = 'a', jobs: ids = [] } = one;
      relatives.set(id, { id, environment, jobs: new Set(ids) });
    }
  };
  learn(({ id }) => known.includes(id));
  const rows = jobs.map((row) => ({ attempt: 1, conclusion: 'success', isCompleted: true, ...row }));
  const found = await parentsOf(
    { id: 900, environment: 'own', jobId: 90, ...own },
    {
      workflow: await workflowJobs('.github/workflows/x.yml', async () => `jobs:\n${file}`),
      jobs: new Map(rows.map((row) => [row.id, row])),
      relatives: () => [...relatives.values()],
      ask: async (environment) => {
        asked.push(environment ?? 'all');
        learn((one) => environment === undefined || (one.environment ?? 'a') === environment);
      },
    },
  );
  return { parents: found, asked };
}

const ofDeployments = (...ids: number[]) => ids.map((id) => `gh-deploy-${id}`);
const own = { id: 90, name: 'own' };

describe('fetcher §9.4: the parents of a deployment are those that its job needs', () => {
  const chain = '  a: {environment: a}\n  own: {needs: a, environment: own}';
  const scene: Scene = { file: chain, jobs: [{ id: 1, name: 'a' }, own], made: [{ id: 101, jobs: [1] }] };

  test('are requested by environment', async () => {
    expect(await parents(scene)).toEqual({ parents: ofDeployments(101), asked: ['a'] });
  });

  test('are not requested if they are cached', async () => {
    expect(await parents({ ...scene, known: [101] })).toEqual({ parents: ofDeployments(101), asked: [] });
  });

  test('are not requested for a job without `needs`', async () => {
    const alone = { ...scene, file: '  a: {environment: a}\n  own: {environment: own}' };
    expect(await parents(alone)).toEqual({ parents: [], asked: [] });
  });

  test('follow `needs` through jobs without a deployment to those with one', async () => {
    const file = `  a: {environment: a}\n  b: {needs: a, environment: b}\n  check: {needs: b}\n  late: {needs: check, environment: late}\n  own: {needs: late}`;
    const jobs = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'late', conclusion: 'skipped' }, own];
    const made = [
      { id: 101, jobs: [1] },
      { id: 102, environment: 'b', jobs: [2] },
    ];
    expect(await parents({ file, jobs, made })).toEqual({ parents: ofDeployments(102), asked: ['b'] });
  });

  test('are sorted by code point and distinct', async () => {
    const file = `  a: {environment: a}\n  b: {environment: b}\n  c: {environment: c}\n  own: {needs: [b, a, c]}`;
    const jobs = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'c' }, own];
    const made = [
      { id: 99, jobs: [1] },
      { id: 100, environment: 'b', jobs: [2] },
      { id: 20, environment: 'c', jobs: [3] },
    ];
    expect((await parents({ file, jobs, made })).parents).toEqual(['gh-deploy-100', 'gh-deploy-20', 'gh-deploy-99']);
  });

  test('do not include the deployment itself if it is shared with another job', async () => {
    const made = [{ id: 900, jobs: [1, 90] }];
    expect((await parents({ ...scene, made })).parents).toEqual([]);
  });

  test('include both deployments of a needed job', async () => {
    const made = [
      { id: 101, jobs: [1] },
      { id: 102, jobs: [1] },
    ];
    expect((await parents({ ...scene, made })).parents).toEqual(ofDeployments(101, 102));
  });

  test('are found despite circular `needs`', async () => {
    const file = '  a: {needs: own, environment: a}\n  own: {needs: a, environment: own}';
    const made = [
      { id: 101, jobs: [1] },
      { id: 900, environment: 'own', jobs: [90] },
    ];
    expect((await parents({ ...scene, file, made })).parents).toEqual(ofDeployments(101));
    const empty = '  a: {needs: own}\n  own: {needs: a}';
    expect((await parents({ ...scene, file: empty, made })).parents).toEqual([]);
  });

  test('are empty if a needed job is missing from the file', async () => {
    expect((await parents({ ...scene, file: '  own: {needs: gone}' })).parents).toEqual([]);
  });

  test('are empty if a job is missing from the response', async () => {
    expect(await parents({ ...scene, jobs: [{ id: 1, name: 'a' }] })).toEqual({ parents: [], asked: [] });
  });
});

describe('fetcher §9.4: the parents from a matrix', () => {
  const file = `  a: {environment: "a-\${{ matrix.x }}"}\n  own: {needs: a}`;
  const legs = [{ id: 1, name: 'a (eu)' }, { id: 2, name: 'a (us)' }, own];
  const made: Made[] = [
    { id: 101, environment: 'a-eu', jobs: [1] },
    { id: 102, environment: 'a-us', jobs: [2] },
  ];

  test('include every leg, and are requested without an environment if it is an expression', async () => {
    expect(await parents({ file, jobs: legs, made })).toEqual({ parents: ofDeployments(101, 102), asked: ['all'] });
  });

  test('fetcher §15.7: use cached deployments only if all legs are known', async () => {
    const one = await parents({ file, jobs: legs, made, known: [101] });
    expect(one).toEqual({ parents: ofDeployments(101, 102), asked: ['all'] });
    expect((await parents({ file, jobs: legs, made, known: [101, 102] })).asked).toEqual([]);
  });

  test('are complete although a skipped leg has no deployment', async () => {
    const jobs = [legs[0] ?? own, { id: 2, name: 'a (us)', conclusion: 'skipped' }, own];
    expect(await parents({ file, jobs, made: made.slice(0, 1), known: [101] })).toEqual({
      ...{ parents: ofDeployments(101), asked: [] },
    });
  });

  test('fetcher §15.7: exclude a deployment without a job if the environment is an expression', async () => {
    expect((await parents({ file, jobs: legs, made: [{ id: 101, environment: 'a-eu' }] })).parents).toEqual([]);
  });

  test('replace only the deployment of the leg that ran again', async () => {
    const jobs = [...legs.slice(0, 2), { id: 12, name: 'a (us)', attempt: 2 }, { ...own, attempt: 2 }];
    const again = [...made, { id: 112, environment: 'a-us', jobs: [12] }];
    expect((await parents({ file, jobs, made: again })).parents).toEqual(ofDeployments(101, 112));
  });
});

describe('fetcher §9.4: the parents in a run with several attempts', () => {
  const file = '  a: {environment: a}\n  own: {needs: a}';
  const jobs = [{ id: 1, name: 'a' }, { id: 11, name: 'a', attempt: 2 }, own, { id: 91, name: 'own', attempt: 2 }];
  const made = [
    { id: 101, jobs: [1] },
    { id: 111, jobs: [11] },
  ];

  test('come from the newest attempt', async () => {
    expect((await parents({ file, jobs, made }, { jobId: 91 })).parents).toEqual(ofDeployments(111));
  });

  test.each([[[101]], [[101, 111]], [[]]])(
    "exclude attempts that are later than the job's attempt, with %o cached",
    async (known) => {
      expect((await parents({ file, jobs, made, known })).parents).toEqual(ofDeployments(101));
    },
  );

  test('include the deployment of a job that did not run again', async () => {
    expect((await parents({ file, jobs, made: made.slice(0, 1) }, { jobId: 91 })).parents).toEqual(ofDeployments(101));
  });

  test('include a deployment used by both attempts in each of them', async () => {
    const both = [{ id: 101, jobs: [1, 11] }];
    expect((await parents({ file, jobs, made: both })).parents).toEqual(ofDeployments(101));
    expect((await parents({ file, jobs, made: both }, { jobId: 91 })).parents).toEqual(ofDeployments(101));
  });
});

describe('fetcher §9.4: the parents of a deployment without a job id', () => {
  const file = '  a: {environment: a}\n  own: {needs: a, environment: Own}';
  const jobs = [{ id: 1, name: 'a' }, own];

  test('are those of the job with the same environment, ignoring case', async () => {
    expect((await parents({ file, jobs, made: [{ id: 101, jobs: [1] }] }, { jobId: undefined })).parents).toEqual(
      ofDeployments(101),
    );
  });

  test('are empty if two jobs have the same environment', async () => {
    const two = `${file}\n  other: {environment: own}`;
    expect((await parents({ file: two, jobs, made: [{ id: 101, jobs: [1] }] }, { jobId: undefined })).parents).toEqual(
      [],
    );
  });

  test('exclude later deployments', async () => {
    const later = [
      { id: 101, jobs: [1] },
      { id: 901, jobs: [1] },
    ];
    expect((await parents({ file, jobs, made: later }, { jobId: undefined })).parents).toEqual(ofDeployments(101));
  });

  test('are the newest earlier deployments in the environments needed', async () => {
    const made = [{ id: 101 }, { id: 102, environment: 'A' }, { id: 103, environment: 'b' }, { id: 901 }];
    expect((await parents({ file, jobs, made, known: [102] })).parents).toEqual(ofDeployments(102));
    expect((await parents({ file, jobs: [own], made })).parents).toEqual(ofDeployments(101));
  });
});

test('are those of the job with the same environment if two jobs have the same name', async () => {
  const file = `  a: {name: Deploy, environment: a}\n  b: {name: Deploy, environment: b}\n  own: {needs: b}`;
  const jobs = [{ id: 1, name: 'Deploy' }, { id: 2, name: 'Deploy' }, own];
  const made = [
    { id: 101, environment: 'a', jobs: [1] },
    { id: 102, environment: 'b', jobs: [2] },
  ];
  for (const known of [[], [101], [102]]) {
    expect((await parents({ file, jobs, made, known })).parents).toEqual(ofDeployments(102));
    expect((await parents({ file, jobs: jobs.toReversed(), made, known })).parents).toEqual(ofDeployments(102));
  }
  const twins = `${file}\n  x: {environment: x}\n  own-1: {name: Twin, needs: a, environment: own}\n  own-2: {name: Twin, needs: b}`;
  const twin = { file: twins, jobs: [...jobs.slice(0, 2), { id: 90, name: 'Twin' }], made };
  expect((await parents(twin)).parents).toEqual(ofDeployments(101));
});
