import { byCodePoint, instantKey, parseInstant } from '@shiplog/contract';
import type { Change } from '../change.ts';
import { variableOf } from '../domain/variables.ts';

/** The newest deployments of each repository, each with its newest change. */
export class NewestDeployments {
  readonly #perRepository: number;
  readonly #changes = new Map<string, Map<string, Change>>();

  constructor(perRepository: number) {
    this.#perRepository = perRepository;
  }

  get repositories(): number {
    return this.#changes.size;
  }

  get size(): number {
    return [...this.#changes.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether a repository got a deployment that will be shown. */
  take(changes: readonly Change[]): boolean {
    let isNews = false;
    for (const change of changes) {
      const repository = variableOf(change, 'repo');
      const deployments = this.#changes.get(repository) ?? new Map<string, Change>();
      this.#changes.set(repository, deployments);
      const known = deployments.get(change.id);
      if (!known && deployments.size < this.#perRepository) isNews = true;
      if (!known || newestFirst(change, known) < 0) deployments.set(change.id, change);
    }
    return isNews;
  }

  changes(): Change[] {
    return [...this.#changes]
      .sort(([one], [other]) => byCodePoint(one, other))
      .flatMap(([, deployments]) => [...deployments.values()].sort(newestFirst).slice(0, this.#perRepository));
  }
}

function newestFirst(one: Change, other: Change): number {
  return byCodePoint(timeKey(other), timeKey(one)) || other.order - one.order;
}

function timeKey({ at }: Change): string {
  return instantKey(parseInstant(at) ?? at);
}
