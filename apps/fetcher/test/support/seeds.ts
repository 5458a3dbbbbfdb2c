import type { SeedData, SeedDeployment, SeedProject, SeedRepo } from '@shiplog/companions';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A repository of acme outside Actions: its deployments are a minute apart, the newest this many minutes old. */
export function aRepo(
  repo: string,
  count: number,
  { firstId = 1000, ageMinutes = 60, environments = ['dev', 'prod'] } = {},
): SeedRepo {
  const deployments = Array.from({ length: count }, (_, index): SeedDeployment => {
    const elapsed = ageMinutes + count - 1 - index;
    const id = firstId + index;
    return {
      ...{ id, sha: 'a'.repeat(40), ref: 'main', creator: 'alice', elapsed_minutes: elapsed },
      environment: environments[index % environments.length] ?? 'dev',
      statuses: [
        { id: id * 10, state: 'in_progress', elapsed_minutes: elapsed },
        { id: id * 10 + 1, state: index % 5 === 0 ? 'failure' : 'success', elapsed_minutes: elapsed },
      ],
    };
  });
  return { owner: 'acme', repo, workflows: [], environments: [...environments], deployments };
}

export function aSeed(...repos: readonly SeedRepo[]): SeedData {
  return { repos: [...repos], projects: [] };
}

export function aSeedOf(repos: number, projects: number, deployments: number): SeedData {
  return {
    repos: Array.from({ length: repos }, (_, index) =>
      aRepo(`service-${index}`, deployments, { firstId: 1_000_000 + index * 1000 }),
    ),
    projects: Array.from({ length: projects }, (_, index) => aProject(index, deployments)),
  };
}

/** A project with this many deployments, a minute apart, the newest an hour old. */
function aProject(index: number, count: number): SeedProject {
  const environments = ['dev', 'prod'];
  const first = 2_000_000 + index * 1000;
  return {
    id: 100 + index,
    path: `acme/project-${index}`,
    environments,
    pipelines: [{ id: 9000 + index, stages: ['deploy'], jobs: [{ name: 'deploy-dev', stage: 'deploy' }] }],
    deployments: Array.from({ length: count }, (_, place) => {
      const minutes = 60 + count - 1 - place;
      return {
        ...{ id: first + place, iid: place + 1, sha: 'b'.repeat(40), ref: 'main', user: 'bob' },
        environment: environments[place % environments.length] ?? 'dev',
        status: place % 5 === 0 ? ('failed' as const) : ('success' as const),
        ...{ pipeline: 9000 + index, job: 'deploy-dev' },
        ...{ elapsed_minutes: minutes, started_at: minutes, finished_at: minutes - 0.5 },
      };
    }),
  };
}
