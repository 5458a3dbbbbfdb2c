import {
  type CiDeploymentRequest,
  type CiStatusRequest,
  type GithubState,
  type GitlabStatus,
  githubStates,
  gitlabStatuses,
} from '@shiplog/companions';
import { invalid } from '@shiplog/server';
import type { EmulatorClock } from './clock.ts';
import { jobsOf } from './domain/jobs.ts';
import { madeUp } from './domain/made-up.ts';
import {
  type GithubDeployment,
  type GitlabDeployment,
  inOrder,
  type JobConclusion,
  type Pipeline,
  type Project,
  type Repository,
  type RunConclusion,
  type Workflow,
} from './domain/model.ts';
import { payloadFault } from './domain/payload.ts';
import { isProduction } from './github/shapes.ts';
import type { Random } from './random.ts';
import type { Store } from './store.ts';

export interface DeploymentParts {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly random: Random;
}

type NewDeployment = Omit<CiDeploymentRequest, 'repository'>;

/** Creates deployments after seeding and changes their status (CI emulator §3.6, §5.4). */
export class Deployments {
  readonly #store: Store;
  readonly #clock: EmulatorClock;
  readonly #random: Random;

  constructor({ store, clock, random }: DeploymentParts) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
  }

  /** @throws Problem 422 if the request does not fit its repository. */
  create({ repository: path, ...request }: CiDeploymentRequest): {
    readonly id: number;
    readonly deployment_id: string;
  } {
    const place = this.#store.place(path);
    if (!place) throw invalid([{ pointer: '/repository', message: `is not known: ${path}` }]);
    const wrongPayload = payloadFault(request.payload);
    if (wrongPayload !== undefined) throw invalid([{ pointer: '/payload', message: wrongPayload }]);
    if (place.tool === 'github') {
      if (request.status !== undefined)
        throw invalid([{ pointer: '/status', message: 'is only for GitLab projects; send state' }]);
      const { id } = this.#createInGithub(place, request);
      return { id, deployment_id: `gh-deploy-${id}` };
    }
    if (request.state !== undefined)
      throw invalid([{ pointer: '/state', message: 'is only for GitHub repositories; send status' }]);
    const { id } = this.#createInGitlab(place, request);
    return { id, deployment_id: `gl-deploy-${id}` };
  }

  /**
   * Returns the id of the new status, or `undefined` for an unknown deployment.
   * @throws Problem 422 if the state belongs to the other tool.
   */
  addStatus(deploymentId: string, request: CiStatusRequest): number | undefined {
    const found = this.#store.deployment(deploymentId);
    if (!found) return undefined;
    const { place } = found;
    if (place.tool === 'github') return this.#moveInGithub(place, found.deployment as GithubDeployment, request);
    return this.#moveInGitlab(place, found.deployment as GitlabDeployment, request);
  }

  #createInGithub(repository: Repository, request: NewDeployment): GithubDeployment {
    const { environment, state = 'queued' } = request;
    const run = this.#runOf(repository, request);
    const before = [...repository.deployments.values()].findLast((one) => one.environment === environment);
    const id = this.#store.nextId('deployment');
    const usual = madeUp(before, id);
    const deployment: GithubDeployment = {
      id,
      sha: request.sha ?? this.#random.hex(40),
      ref: request.ref ?? 'main',
      environment,
      task: request.task ?? 'deploy',
      payload: request.payload ?? usual.payload,
      creator: request.creator ?? 'alice',
      at: wholeSecond(this.#clock.now()),
      transient: request.transient ?? usual.transient,
      ...(run && { run }),
      ...(usual.artifact && { artifact: usual.artifact }),
      statuses: [],
      reviews: [],
      recordedAt: this.#clock.now(),
    };
    this.#store.addDeployment(repository, deployment);
    this.#moveInGithub(repository, deployment, { state });
    return deployment;
  }

  /** The requested run or a new one, with the next attempt if the job has already deployed to this environment. */
  #runOf(repository: Repository, { run: requested, job, environment }: NewDeployment): GithubDeployment['run'] {
    const siblings = [...repository.deployments.values()].filter(
      (one) => requested !== undefined && one.run?.id === requested,
    );
    const workflow = siblings[0]?.run?.workflow ?? workflowFor(repository, job, environment);
    if (!workflow) return undefined;
    const id = requested ?? this.#store.nextId('run');
    this.#store.noteId('run', id);
    const again = siblings.filter((one) => one.environment === environment && one.run?.job === job);
    const attempts = siblings.map((one) => one.run?.attempt ?? 1);
    const attempt = Math.max(1, ...attempts, ...again.map((one) => (one.run?.attempt ?? 1) + 1));
    return { id, attempt, workflow, ...(job !== undefined && { job }) };
  }

  #moveInGithub(repository: Repository, deployment: GithubDeployment, request: CiStatusRequest): number {
    const state = githubStates.find((one) => one === request.state);
    if (!state) throw invalid([{ pointer: '/state', message: `must be one of ${githubStates.join(', ')}` }]);
    const at = wholeSecond(request.at === undefined ? this.#clock.now() : Date.parse(request.at));
    const recordedAt = this.#clock.now();
    if (request.rejected_by !== undefined) {
      const review = { state: 'rejected', user: request.rejected_by, at, comment: '', recordedAt } as const;
      this.#store.addReview(repository, deployment, review);
    }
    const id = this.#addGithubStatus(repository, deployment, {
      state,
      at,
      ...(request.job_conclusion && { jobConclusion: request.job_conclusion as JobConclusion }),
      ...(request.run_conclusion && { runConclusion: request.run_conclusion as RunConclusion }),
    });
    if (state === 'success') this.#supersede(repository, deployment, at);
    return id;
  }

  /** A success makes older successes in the environment inactive, as GitHub documents (CI emulator §3.6). */
  #supersede(repository: Repository, newest: GithubDeployment, at: number): void {
    for (const deployment of repository.deployments.values()) {
      const isOlder = deployment.id < newest.id && deployment.environment === newest.environment;
      if (!isOlder || deployment.transient || isProduction(deployment.environment)) continue;
      if (inOrder(deployment.statuses).at(-1)?.state !== 'success') continue;
      this.#addGithubStatus(repository, deployment, { state: 'inactive', at });
    }
  }

  #addGithubStatus(
    repository: Repository,
    deployment: GithubDeployment,
    status: {
      readonly state: GithubState;
      readonly at: number;
      readonly jobConclusion?: JobConclusion;
      readonly runConclusion?: RunConclusion;
    },
  ): number {
    const id = this.#store.nextId('status');
    const creator = deployment.run ? 'github-actions[bot]' : deployment.creator;
    this.#store.addStatus(repository, deployment, { id, creator, recordedAt: this.#clock.now(), ...status });
    return id;
  }

  #createInGitlab(project: Project, request: NewDeployment): GitlabDeployment {
    const { environment, status = 'created' } = request;
    const now = this.#clock.now();
    const iids = [...project.deployments.values()].map(({ iid }) => iid);
    const deployment: GitlabDeployment = {
      id: this.#store.nextId('deployment'),
      iid: Math.max(0, ...iids) + 1,
      environment,
      sha: request.sha ?? this.#random.hex(40),
      ref: request.ref ?? 'main',
      user: request.creator ?? 'alice',
      at: now,
      job: this.#jobOf(project, request),
      changes: [{ status: 'created', at: now, recordedAt: now }],
      approvals: [],
      recordedAt: now,
    };
    this.#store.addProjectDeployment(project, deployment);
    if (status !== 'created') this.#moveInGitlab(project, deployment, { state: status });
    return deployment;
  }

  /** A job of the requested pipeline, or of a new pipeline that has the same jobs as the newest pipeline. */
  #jobOf(
    project: Project,
    { run, job, environment }: NewDeployment,
  ): { readonly pipeline: Pipeline; readonly name: string } {
    const known = project.pipelines.find(({ id }) => id === run);
    const pattern = known ?? project.pipelines.at(-1);
    const jobs = pattern?.jobs ?? [];
    const found = jobs.find(({ name }) => (job === undefined ? name.includes(environment) : name === job));
    const name = found?.name ?? job ?? `deploy-${environment}`;
    if (known && found) return { pipeline: known, name };
    const stages = found ? (pattern?.stages ?? []) : [...(pattern?.stages ?? []), name];
    const pipeline: Pipeline = {
      id: known || run === undefined ? this.#store.nextId('run') : run,
      iid: project.pipelines.length + 1,
      stages,
      jobs: found ? jobs : [...jobs, { name, stage: name }],
    };
    this.#store.noteId('run', pipeline.id);
    project.pipelines.push(pipeline);
    return { pipeline, name };
  }

  #moveInGitlab(project: Project, deployment: GitlabDeployment, request: CiStatusRequest): number {
    const status: GitlabStatus | undefined = gitlabStatuses.find((one) => one === request.state);
    if (!status) throw invalid([{ pointer: '/state', message: `must be one of ${gitlabStatuses.join(', ')}` }]);
    const foreign = (['job_conclusion', 'run_conclusion'] as const).find((name) => request[name] !== undefined);
    if (foreign) throw invalid([{ pointer: `/${foreign}`, message: 'is only for GitHub deployments' }]);
    const recordedAt = this.#clock.now();
    const at = request.at === undefined ? recordedAt : Date.parse(request.at);
    if (request.rejected_by !== undefined) {
      deployment.approvals.push({ user: request.rejected_by, status: 'rejected', at, comment: '', recordedAt });
    }
    const failureReason = request.rejected_by === undefined ? {} : { failureReason: 'deployment_rejected' };
    this.#store.addChange(project, deployment, { status, at, recordedAt, ...failureReason });
    return this.#store.nextId('status');
  }
}

/** The workflow with this job; otherwise a workflow that deploys to the environment; otherwise the first workflow. */
function workflowFor(repository: Repository, job: string | undefined, environment: string): Workflow | undefined {
  const deploys = (workflow: Workflow) =>
    jobsOf(workflow, repository.workflows).some((one) =>
      job === undefined ? one.environment === environment : one.key === job || one.name === job,
    );
  return repository.workflows.find(deploys) ?? repository.workflows[0];
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
