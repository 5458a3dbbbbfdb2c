import type { CiEmission, CiEmitRequest, EmissionOutcome, GithubState, GitlabStatus } from '@shiplog/companions';
import { invalid } from '@shiplog/server';
import type { Deployments } from './deployments.ts';
import { pathOf } from './domain/model.ts';
import type { Random } from './random.ts';
import type { Place, Store } from './store.ts';

export interface EmissionParts {
  readonly store: Store;
  readonly deployments: Deployments;
  readonly random: Random;
  readonly intervalMs: number;
  /** The time between the statuses of an emitted deployment. */
  readonly stepMs: number;
}

type Choice = Pick<CiEmitRequest, 'outcome' | 'repository' | 'environment'>;

/** The user who rejects deployments emitted as `rejected`. */
const reviewer = 'erin';

/** Emits one deployment per interval while emission is on, in real time (CI emulator §5.3, §12.4). */
export class Emission {
  readonly #parts: EmissionParts;
  readonly #steps = new Set<NodeJS.Timeout>();
  #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #choice: Choice = {};
  #emitted = 0;

  constructor(parts: EmissionParts) {
    this.#parts = parts;
    this.#intervalMs = parts.intervalMs;
  }

  get state(): CiEmission {
    return { emitting: this.#timer !== undefined, interval_ms: this.#intervalMs, emitted: this.#emitted };
  }

  /** @throws Problem 422 for an unknown repository. */
  take({ enabled, once, interval_ms, ...choice }: CiEmitRequest): void {
    const { repository } = choice;
    if (repository !== undefined && !this.#parts.store.place(repository)) {
      throw invalid([{ pointer: '/repository', message: `is not known: ${repository}` }]);
    }
    if (once !== undefined) {
      for (let turn = 0; turn < once; turn += 1) this.#emit(choice);
    }
    const isOn = enabled ?? (once === undefined ? this.#timer === undefined : this.#timer !== undefined);
    if (interval_ms !== undefined && interval_ms !== this.#intervalMs) {
      this.#stopTimer();
      this.#intervalMs = interval_ms;
    }
    if (!isOn) this.#stopTimer();
    else this.#start(once === undefined ? choice : this.#choice);
  }

  /** Stops; unfinished deployments keep their status. */
  stop(): void {
    this.#stopTimer();
    for (const step of this.#steps) clearTimeout(step);
    this.#steps.clear();
  }

  /** Resets to the state at startup. */
  reset(): void {
    this.stop();
    this.#emitted = 0;
  }

  /** The first deployment comes after one interval. Starting twice has no effect. */
  #start(choice: Choice): void {
    this.#choice = choice;
    this.#timer ??= setInterval(() => this.#emit(this.#choice), this.#intervalMs);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #emit({ outcome, repository, environment }: Choice): void {
    const { store, deployments, random } = this.#parts;
    const places = [...store.repositories, ...store.projects].filter(
      (one) => one.removedAt === undefined && !one.archived && !one.forbidden && one.environments.length > 0,
    );
    const place = repository === undefined ? places[this.#emitted % places.length] : store.place(repository);
    if (!place) return;
    const round = repository === undefined ? Math.floor(this.#emitted / places.length) : this.#emitted;
    const where = environment ?? place.environments[round % place.environments.length];
    if (where === undefined) return;
    this.#emitted += 1;
    const end = outcome ?? (random.next() < 2 / 3 ? 'success' : 'failure');
    const [first, ...steps] = (place.tool === 'github' ? githubSteps : gitlabSteps)[end];
    const begun = place.tool === 'github' ? { state: first?.state } : { status: first?.state };
    const { deployment_id } = deployments.create({
      repository: pathOf(place),
      environment: where,
      ...(begun as object),
    });
    this.#follow(place, deployment_id, steps);
  }

  #follow(place: Place, deploymentId: string, steps: readonly Step[]): void {
    const [step, ...remaining] = steps;
    if (!step) return;
    const { stepMs, deployments } = this.#parts;
    const take = () => {
      // A deployment removed meanwhile has no next status.
      if (deployments.addStatus(deploymentId, step) !== undefined) this.#follow(place, deploymentId, remaining);
    };
    if (stepMs === 0) {
      take();
      return;
    }
    const timer = setTimeout(() => {
      this.#steps.delete(timer);
      take();
    }, stepMs);
    this.#steps.add(timer);
  }
}

interface Step {
  readonly state: GithubState | GitlabStatus;
  readonly job_conclusion?: 'cancelled';
  readonly run_conclusion?: 'cancelled';
  readonly rejected_by?: string;
}

const steps = (...states: Step['state'][]): Step[] => states.map((state) => ({ state }));

const githubEnd = (state: GithubState) => steps('queued', 'in_progress', state);
const githubSteps: Readonly<Record<EmissionOutcome, readonly Step[]>> = {
  pending: steps('pending'),
  queued: steps('queued'),
  waiting: steps('queued', 'waiting'),
  in_progress: steps('queued', 'in_progress'),
  success: githubEnd('success'),
  failure: githubEnd('failure'),
  error: githubEnd('error'),
  inactive: githubEnd('inactive'),
  rejected: [...steps('queued', 'waiting'), { state: 'failure', rejected_by: reviewer }],
  cancelled: [
    ...steps('queued', 'in_progress'),
    { state: 'failure', job_conclusion: 'cancelled', run_conclusion: 'cancelled' },
  ],
};

const gitlabEnd = (state: GitlabStatus) => steps('created', 'running', state);
const gitlabSteps: Readonly<Record<EmissionOutcome, readonly Step[]>> = {
  pending: steps('created'),
  queued: steps('created'),
  waiting: steps('created', 'blocked'),
  in_progress: steps('created', 'running'),
  success: gitlabEnd('success'),
  failure: gitlabEnd('failed'),
  error: gitlabEnd('failed'),
  inactive: gitlabEnd('canceled'),
  rejected: [...steps('created', 'blocked'), { state: 'failed', rejected_by: reviewer }],
  cancelled: gitlabEnd('canceled'),
};
