import type { Change } from '../../change.ts';
import { failedOnceMore } from '../../tool/failing.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type DeploymentStatus, pickDeployment, pickStatuses } from './api.ts';
import { isTerminal, newestOf } from './changes.ts';
import { createdMs, updatedMs, type Watched } from './repository.ts';
import type { Translator } from './translator.ts';

/** How long after its newest status an ended deployment is still followed (fetcher §9.1). */
const settlingMs = 15 * 60_000;
const failuresMax = 3;

/** The result of inspecting a deployment. */
export interface Inspected {
  readonly id: number;
  readonly changes: readonly Change[];
  /** `undefined` if it isn't open anymore. */
  readonly watched: Watched | undefined;
}

export interface InspectorOptions {
  readonly http: ToolHttp;
  readonly translator: Pick<Translator, 'changesOf'>;
  readonly watchMaxAgeMs: number;
  /** Called for each unknown state. */
  onUnknown(state: string): void;
}

/** Inspects single deployments: their statuses, the resulting changes, and whether more may come. */
export class Inspector {
  readonly #options: InspectorOptions;
  /** The deployments that failed in a row, by repository. */
  readonly #failures = new Map<string, Set<number>>();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /**
   * Inspects a listed deployment. One that can't be read now stays open, so that it delays no other.
   * @throws what `ToolHttp` throws, except `PlaceRefused`; ToolAway at the third failure of its repository in a row
   */
  async inspect(repo: string, deployment: Deployment, signal: AbortSignal): Promise<Inspected> {
    const watched = { id: deployment.id, deployment };
    try {
      return await this.ask(repo, watched, signal);
    } catch (error) {
      if (error instanceof PlaceRefused) return { id: deployment.id, changes: [], watched };
      const unread = error instanceof ToolAway ? this.unread(repo, watched, error) : undefined;
      if (!unread) throw error;
      return unread;
    }
  }

  /** Records a failure; `undefined` if it is the third of its repository in a row. */
  unread(repo: string, watched: Watched, error: ToolAway): Inspected | undefined {
    const failures = (this.#failures.get(repo) ?? new Set()).add(watched.id);
    this.#failures.set(repo, failures);
    if (failures.size === failuresMax) {
      this.#failures.delete(repo);
      return undefined;
    }
    const failing = failedOnceMore(watched.failing, this.#options.http.now(), error.message);
    return { id: watched.id, changes: [], watched: { ...watched, failing } };
  }

  /** @throws what `ToolHttp` throws */
  async ask(repo: string, watched: Watched, signal: AbortSignal): Promise<Inspected> {
    const { http, translator, onUnknown } = this.#options;
    const { id, last, told = false } = watched;
    const path = deploymentPath(repo, id);
    const deployment = watched.deployment ?? (await http.get(path, signal, pickDeployment)).body;
    const { statuses, unchanged } = await this.#statuses(path, signal);
    const { changes, held, unknown } =
      told && unchanged
        ? { changes: [], held: false, unknown: [] }
        : await translator.changesOf(repo, deployment, statuses, signal);
    for (const state of unknown) onUnknown(state);
    this.#failures.delete(repo);
    const newest = newestOf(statuses);
    const ended = !held && newest !== undefined && isTerminal(newest.state);
    const nowMs = http.now();
    // A list may show a status that a later read of the statuses doesn't have yet.
    const lastMs = Math.max(updatedMs(deployment), newest ? Date.parse(newest.createdAt) : 0);
    const isOpen = held || !ended || nowMs - lastMs < settlingMs;
    if (!isOpen || this.isTooOld(deployment)) return { id, changes, watched: undefined };
    const newestChange = changes.at(-1) ?? last;
    return {
      id,
      changes,
      watched: { id, deployment, ended, told: !held, ...(newestChange && { last: newestChange }) },
    };
  }

  isTooOld(deployment: Deployment): boolean {
    return this.#options.http.now() - createdMs(deployment) > this.#options.watchMaxAgeMs;
  }

  async #statuses(path: string, signal: AbortSignal) {
    const statuses = new Map<number, DeploymentStatus>();
    let unchanged = true;
    for await (const page of this.#options.http.pages(`${path}/statuses?per_page=100`, signal, pickStatuses)) {
      unchanged &&= page.unchanged;
      // A status created between two pages shifts the others.
      for (const status of page.body) statuses.set(status.id, status);
    }
    return { statuses: [...statuses.values()], unchanged };
  }
}

function repositoryPath(repo: string): string {
  return `/repos/${repo.split('/').map(encodeURIComponent).join('/')}`;
}

export function deploymentsPath(repo: string, page = 1): string {
  return `${repositoryPath(repo)}/deployments?per_page=100${page > 1 ? `&page=${page}` : ''}`;
}

function deploymentPath(repo: string, id: number): string {
  return `${repositoryPath(repo)}/deployments/${id}`;
}
