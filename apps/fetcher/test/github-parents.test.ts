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
  /** Jobs of the file: `a: {…}`. */
  readonly file: string;
  readonly jobs: readonly JobRow[];
  /** All deployments of the run; those in `known` are in memory. */
  readonly made: readonly Made[];
  readonly known?: readonly number[];
}

/** Deployment 900 to `own`, by job 90; what was asked for is told too. */
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

  test('they are requested by environment', async () => {
    expect(await parents(scene)).toEqual({ parents: ofDeployments(101), asked: ['a'] });
  });

  test('cached deployments are not requested', async () => {
    expect(await parents({ ...scene, known: [101] })).toEqual({ parents: ofDeployments(101), asked: [] });
  });

  test('a job without `needs` sends no requests', async () => {
    const alone = { ...scene, file: '  a: {environment: a}\n  own: {environment: own}' };
    expect(await parents(alone)).toEqual({ parents: [], asked: [] });
  });

  test('`needs` are followed through jobs without a deployment to those with one', async () => {
    const file = `  a: {environment: a}\n  b: {needs: a, environment: b}\n  check: {needs: b}\n  late: {needs: check, environment: late}\n  own: {needs: late}`;
    const jobs = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'late', conclusion: 'skipped' }, own];
    const made = [
      { id: 101, jobs: [1] },
      { id: 102, environment: 'b', jobs: [2] },
    ];
    expect(await parents({ file, jobs, made })).toEqual({ parents: ofDeployments(102), asked: ['b'] });
  });

  test('parents are sorted by code point and distinct', async () => {
    const file = `  a: {environment: a}\n  b: {environment: b}\n  c: {environment: c}\n  own: {needs: [b, a, c]}`;
    const jobs = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'c' }, own];
    const made = [
      { id: 99, jobs: [1] },
      { id: 100, environment: 'b', jobs: [2] },
      { id: 20, environment: 'c', jobs: [3] },
    ];
    expect((await parents({ file, jobs, made })).parents).toEqual(['gh-deploy-100', 'gh-deploy-20', 'gh-deploy-99']);
  });

  test('a deployment shared with another job is not its own parent', async () => {
    const made = [{ id: 900, jobs: [1, 90] }];
    expect((await parents({ ...scene, made })).parents).toEqual([]);
  });

  test('both deployments of a needed job are parents', async () => {
    const made = [
      { id: 101, jobs: [1] },
      { id: 102, jobs: [1] },
    ];
    expect((await parents({ ...scene, made })).parents).toEqual(ofDeployments(101, 102));
  });

  test('circular `needs` end', async () => {
    const file = '  a: {needs: own, environment: a}\n  own: {needs: a, environment: own}';
    const made = [
      { id: 101, jobs: [1] },
      { id: 900, environment: 'own', jobs: [90] },
    ];
    expect((await parents({ ...scene, file, made })).parents).toEqual(ofDeployments(101));
    const empty = '  a: {needs: own}\n  own: {needs: a}';
    expect((await parents({ ...scene, file: empty, made })).parents).toEqual([]);
  });

  test('a needed job that is missing from the file gives no parents', async () => {
    expect((await parents({ ...scene, file: '  own: {needs: gone}' })).parents).toEqual([]);
  });

  test('a job that is missing from the answer gives no parents', async () => {
    expect(await parents({ ...scene, jobs: [{ id: 1, name: 'a' }] })).toEqual({ parents: [], asked: [] });
  });
});

describe('fetcher §9.4: of a matrix', () => {
  const file = `  a: {environment: "a-\${{ matrix.x }}"}\n  own: {needs: a}`;
  const legs = [{ id: 1, name: 'a (eu)' }, { id: 2, name: 'a (us)' }, own];
  const made: Made[] = [
    { id: 101, environment: 'a-eu', jobs: [1] },
    { id: 102, environment: 'a-us', jobs: [2] },
  ];

  test('every leg is a parent, and an expression is requested without an environment', async () => {
    expect(await parents({ file, jobs: legs, made })).toEqual({ parents: ofDeployments(101, 102), asked: ['all'] });
  });

  test('fetcher §15.7: cached deployments count only if all legs are known', async () => {
    const one = await parents({ file, jobs: legs, made, known: [101] });
    expect(one).toEqual({ parents: ofDeployments(101, 102), asked: ['all'] });
    expect((await parents({ file, jobs: legs, made, known: [101, 102] })).asked).toEqual([]);
  });

  test('a skipped leg has no deployment', async () => {
    const jobs = [legs[0] ?? own, { id: 2, name: 'a (us)', conclusion: 'skipped' }, own];
    expect(await parents({ file, jobs, made: made.slice(0, 1), known: [101] })).toEqual({
      ...{ parents: ofDeployments(101), asked: [] },
    });
  });

  test('fetcher §15.7: with an expression as environment a deployment without a job is not a parent', async () => {
    expect((await parents({ file, jobs: legs, made: [{ id: 101, environment: 'a-eu' }] })).parents).toEqual([]);
  });

  test('a leg that ran again replaces only its own deployment', async () => {
    const jobs = [...legs.slice(0, 2), { id: 12, name: 'a (us)', attempt: 2 }, { ...own, attempt: 2 }];
    const again = [...made, { id: 112, environment: 'a-us', jobs: [12] }];
    expect((await parents({ file, jobs, made: again })).parents).toEqual(ofDeployments(101, 112));
  });
});

describe('fetcher §9.4: in a run with several attempts', () => {
  const file = '  a: {environment: a}\n  own: {needs: a}';
  const jobs = [{ id: 1, name: 'a' }, { id: 11, name: 'a', attempt: 2 }, own, { id: 91, name: 'own', attempt: 2 }];
  const made = [
    { id: 101, jobs: [1] },
    { id: 111, jobs: [11] },
  ];

  test('the newest attempt counts', async () => {
    expect((await parents({ file, jobs, made }, { jobId: 91 })).parents).toEqual(ofDeployments(111));
  });

  test.each([[[101]], [[101, 111]], [[]]])(
    'what came after the attempt of a job does not count, with %o in memory',
    async (known) => {
      expect((await parents({ file, jobs, made, known })).parents).toEqual(ofDeployments(101));
    },
  );

  test('a job that did not run again keeps its deployment', async () => {
    expect((await parents({ file, jobs, made: made.slice(0, 1) }, { jobId: 91 })).parents).toEqual(ofDeployments(101));
  });

  test('a deployment used by both attempts counts in both', async () => {
    const both = [{ id: 101, jobs: [1, 11] }];
    expect((await parents({ file, jobs, made: both })).parents).toEqual(ofDeployments(101));
    expect((await parents({ file, jobs, made: both }, { jobId: 91 })).parents).toEqual(ofDeployments(101));
  });
});

describe('fetcher §9.4: without the id of a job', () => {
  const file = '  a: {environment: a}\n  own: {needs: a, environment: Own}';
  const jobs = [{ id: 1, name: 'a' }, own];

  test('its job is found by the environment, case ignored', async () => {
    expect((await parents({ file, jobs, made: [{ id: 101, jobs: [1] }] }, { jobId: undefined })).parents).toEqual(
      ofDeployments(101),
    );
  });

  test('two jobs with the environment are ambiguous and give no parents', async () => {
    const two = `${file}\n  other: {environment: own}`;
    expect((await parents({ file: two, jobs, made: [{ id: 101, jobs: [1] }] }, { jobId: undefined })).parents).toEqual(
      [],
    );
  });

  test('later deployments do not count', async () => {
    const later = [
      { id: 101, jobs: [1] },
      { id: 901, jobs: [1] },
    ];
    expect((await parents({ file, jobs, made: later }, { jobId: undefined })).parents).toEqual(ofDeployments(101));
  });

  test('parents are found by environment, the newest before it', async () => {
    const made = [{ id: 101 }, { id: 102, environment: 'A' }, { id: 103, environment: 'b' }, { id: 901 }];
    expect((await parents({ file, jobs, made, known: [102] })).parents).toEqual(ofDeployments(102));
    expect((await parents({ file, jobs: [own], made })).parents).toEqual(ofDeployments(101));
  });
});

test('the environment decides between two jobs with the same name', async () => {
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
