import type { SeedDeployment, SeedRepo } from '@shiplog/companions';

export interface Repositories {
  readonly count: number;
  /**
   * The number of deployments of each repository. All are successful and run one after another in a single environment.
   */
  readonly deployments: number;
  /** The time between two deployments of a repository. */
  readonly minutesApart: number;
}

/** The minimum age of deployments. All have ended when the fetcher finds them. */
const youngestMinutes = 30;

/** Repositories with deployments that were created outside Actions. Each deployment costs one request. */
export function* repositories(all: Repositories): Generator<SeedRepo> {
  for (let index = 0; index < all.count; index += 1) {
    yield {
      owner: 'acme',
      repo: `service-${String(index).padStart(3, '0')}`,
      workflows: [],
      environments: ['production'],
      deployments: Array.from({ length: all.deployments }, (_, number) => deployment(all, index, number)),
    };
  }
}

/** The deployments on a correct board, one per slot. */
export function newestIds({ count, deployments }: Repositories): string[] {
  return Array.from({ length: count }, (_, index) => `gh-deploy-${(deployments - 1) * count + index + 1}`);
}

function deployment({ count, deployments, minutesApart }: Repositories, index: number, number: number): SeedDeployment {
  const id = number * count + index + 1;
  const elapsed_minutes = youngestMinutes + (deployments - 1 - number) * minutesApart;
  return {
    id,
    sha: id.toString(16).padStart(40, '0'),
    ref: 'main',
    environment: 'production',
    creator: 'alice',
    elapsed_minutes,
    statuses: [{ id, state: 'success', elapsed_minutes }],
  };
}
