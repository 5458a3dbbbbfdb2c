import type { SeedData, SeedProject } from '@shiplog/companions';
import { aRepo } from './github-source.ts';
import { Run, type RunOptions } from './run.ts';

/** The repository for emitted and created deployments. */
export const repository = 'acme/service-0';
export const project = 'acme/project-0';

export interface SmallRun extends RunOptions {
  /** Repositories of GitHub; 0: GitHub is off. */
  readonly repos?: number;
  /** Projects of GitLab; 0: GitLab is off. */
  readonly projects?: number;
  /** Per repository and project. */
  readonly deployments?: number;
}

/** A run on generated repositories and projects of acme, which exist before the fetcher starts. */
export async function smallRun({ repos = 2, projects = 1, deployments = 3, ...options }: SmallRun = {}): Promise<Run> {
  const run = await Run.start({
    ...options,
    emulator: { SEED_ON_STARTUP: 'false', REQUEST_LOG: '100000', ...options.emulator },
    fetcher: {
      GITHUB_REPOS: repos > 0 ? 'acme/*' : '',
      GITLAB_PROJECTS: projects > 0 ? 'acme/**' : '',
      ...options.fetcher,
    },
  });
  await run.ci('/seed', { data: aSeedOf(repos, projects, deployments) });
  return run;
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
