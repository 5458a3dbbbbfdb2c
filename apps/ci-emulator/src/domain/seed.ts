import type {
  SeedData,
  SeedDeployment,
  SeedOutage,
  SeedProject,
  SeedProjectDeployment,
  SeedRepo,
} from '@shiplog/companions';
import type { Store } from '../store.ts';
import type {
  GithubDeployment,
  GitlabChange,
  GitlabDeployment,
  Pipeline,
  Project,
  Repository,
  RunConclusion,
  Workflow,
} from './model.ts';

const minuteMs = 60_000;

/** How the instants of a seed are converted, and from when its rows count as stored. */
interface SeedTimes {
  readonly anchorMs: number;
  readonly shiftMs: number;
  readonly recordedAt: number;
}

/** Adds a seed to the store without sending webhooks. Known ids are skipped, so seeding twice changes nothing. */
export function plant(
  store: Store,
  seed: SeedData,
  { anchorMs, now }: { readonly anchorMs: number; readonly now: number },
): void {
  const absolute = instantsOf(seed);
  // Use whole seconds, so that times in the same second stay equal.
  const anchor = Math.floor(anchorMs / 1000) * 1000;
  const newest =
    absolute.length === 0 ? anchor : Math.floor(absolute.reduce((one, other) => Math.max(one, other)) / 1000) * 1000;
  const times = { anchorMs: anchor, shiftMs: anchor - newest, recordedAt: now };
  for (const repo of seed.repos) plantRepo(store, repo, times);
  for (const project of seed.projects) plantProject(store, project, times);
  for (const outage of seed.outages ?? []) plantOutage(store, outage, times);
}

/** Every absolute instant; ages are relative to the anchor. */
function instantsOf({ repos, projects, outages = [] }: SeedData): number[] {
  const texts = [
    ...repos.flatMap(({ deployments }) =>
      deployments.flatMap(({ created_at, statuses, reviews = [] }) => [
        created_at,
        ...statuses.map((status) => status.created_at),
        ...reviews.map(({ submitted_at }) => submitted_at),
      ]),
    ),
    ...projects.flatMap(({ deployments }) =>
      deployments.flatMap(({ created_at, started_at, finished_at, approvals = [] }) => [
        created_at,
        started_at,
        finished_at,
        ...approvals.map((approval) => approval.created_at),
      ]),
    ),
    ...outages.flatMap(({ opened_at, resolved_at }) => [opened_at, resolved_at]),
  ];
  return texts.filter((text) => typeof text === 'string').map((text) => Date.parse(text));
}

function instantOf(moment: string | number, { anchorMs, shiftMs }: SeedTimes): number {
  return typeof moment === 'number' ? anchorMs - moment * minuteMs : Date.parse(moment) + shiftMs;
}

function createdOf(
  item: { readonly created_at?: string; readonly elapsed_minutes?: number },
  times: SeedTimes,
): number {
  return instantOf(item.created_at ?? item.elapsed_minutes ?? 0, times);
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function plantRepo(store: Store, seed: SeedRepo, times: SeedTimes): void {
  const known = store.place(`${seed.owner}/${seed.repo}`);
  const repository = known?.tool === 'github' ? known : emptyRepository(store, seed, times);
  for (const { state = 'active', ...workflow } of seed.workflows) {
    if (!repository.workflows.some(({ id }) => id === workflow.id)) repository.workflows.push({ ...workflow, state });
  }
  repository.jobs.clear();
  for (const name of seed.environments) if (!repository.environments.includes(name)) repository.environments.push(name);
  for (const deployment of seed.deployments) {
    if (store.knows('github', deployment.id)) continue;
    const planted = githubDeployment(deployment, repository.workflows, times);
    repository.deployments.set(planted.id, planted);
    if (!repository.environments.includes(planted.environment)) repository.environments.push(planted.environment);
    store.noteId('deployment', planted.id);
    store.noteId('run', planted.run?.id ?? 0);
    for (const { id } of planted.statuses) store.noteId('status', id);
  }
}

function emptyRepository(store: Store, seed: SeedRepo, { recordedAt }: SeedTimes): Repository {
  const repository: Repository = {
    tool: 'github',
    id: store.nextId('place'),
    owner: seed.owner,
    name: seed.repo,
    ownerType: seed.owner_type ?? 'Organization',
    archived: seed.archived ?? false,
    forbidden: seed.forbidden ?? false,
    workflows: [],
    jobs: new Map(),
    environments: [],
    deletedBranches: seed.deleted_branches ?? [],
    deployments: new Map(),
    recordedAt,
  };
  store.repositories.push(repository);
  return repository;
}

function githubDeployment(seed: SeedDeployment, workflows: readonly Workflow[], times: SeedTimes): GithubDeployment {
  const { recordedAt } = times;
  const workflow = workflows.find(({ id }) => id === seed.workflow) ?? workflows[0];
  const hasRun = seed.run_id !== undefined && workflow !== undefined;
  const statuses = seed.statuses.toSorted((one, other) => one.id - other.id);
  return {
    id: seed.id,
    sha: seed.sha,
    ref: seed.ref,
    environment: seed.environment,
    task: seed.task ?? 'deploy',
    payload: seed.payload ?? {},
    creator: seed.creator,
    at: wholeSecond(createdOf(seed, times)),
    transient: seed.transient ?? false,
    ...(hasRun && {
      run: {
        id: seed.run_id ?? 0,
        attempt: seed.run_attempt ?? 1,
        workflow,
        ...(seed.job !== undefined && { job: seed.job }),
      },
    }),
    ...(seed.artifact && { artifact: seed.artifact }),
    statuses: statuses.map((status, index) => ({
      id: status.id,
      state: status.state,
      at: wholeSecond(createdOf(status, times)),
      creator: status.creator ?? (hasRun ? 'github-actions[bot]' : seed.creator),
      ...(status.log_url !== undefined && { logUrl: status.log_url }),
      ...(index === statuses.length - 1 &&
        seed.run_conclusion && { runConclusion: seed.run_conclusion as RunConclusion }),
      recordedAt,
    })),
    reviews: (seed.reviews ?? []).map(({ state, user, submitted_at }) => ({
      state: state as 'approved' | 'rejected',
      user,
      at: wholeSecond(instantOf(submitted_at, times)),
      comment: '',
      recordedAt,
    })),
    recordedAt,
  };
}

function plantOutage(store: Store, seed: SeedOutage, times: SeedTimes): void {
  const { id, tool, title, service, environment, severity, repository, opened_at, resolved_at } = seed;
  if (store.outages.some((outage) => outage.id === id && outage.tool === tool)) return;
  store.outages.push({
    ...{ id, tool, title, service, environment, severity, number: store.nextId('outage') },
    place: repository === undefined ? undefined : store.place(repository),
    openedAt: wholeSecond(instantOf(opened_at, times)),
    resolvedAt: resolved_at === undefined ? undefined : wholeSecond(instantOf(resolved_at, times)),
  });
}

function plantProject(store: Store, seed: SeedProject, times: SeedTimes): void {
  const known = store.place(seed.path);
  const project = known?.tool === 'gitlab' ? known : emptyProject(store, seed, times);
  for (const { id, stages, jobs } of seed.pipelines) {
    if (project.pipelines.some((pipeline) => pipeline.id === id)) continue;
    project.pipelines.push({ id, iid: project.pipelines.length + 1, stages, jobs } as Pipeline);
    store.noteId('run', id);
  }
  for (const name of seed.environments) if (!project.environments.includes(name)) project.environments.push(name);
  for (const deployment of seed.deployments) {
    if (store.knows('gitlab', deployment.id)) continue;
    const planted = gitlabDeployment(deployment, project.pipelines, times);
    project.deployments.set(planted.id, planted);
    if (!project.environments.includes(planted.environment)) project.environments.push(planted.environment);
    store.noteId('deployment', planted.id);
  }
}

function emptyProject(store: Store, seed: SeedProject, { recordedAt }: SeedTimes): Project {
  const project: Project = {
    tool: 'gitlab',
    id: seed.id,
    path: seed.path,
    utcOffset: seed.utc_offset ?? 'Z',
    archived: false,
    forbidden: false,
    environments: [],
    pipelines: [],
    deployments: new Map(),
    recordedAt,
  };
  store.projects.push(project);
  store.noteId('place', seed.id);
  return project;
}

function gitlabDeployment(
  seed: SeedProjectDeployment,
  pipelines: readonly Pipeline[],
  times: SeedTimes,
): GitlabDeployment {
  const { recordedAt } = times;
  const pipeline = pipelines.find(({ id }) => id === seed.pipeline);
  return {
    id: seed.id,
    iid: seed.iid,
    environment: seed.environment,
    sha: seed.sha,
    ref: seed.ref,
    user: seed.user,
    at: createdOf(seed, times),
    ...(pipeline && seed.job !== undefined && { job: { pipeline, name: seed.job } }),
    changes: changesOf(seed, times),
    approvals: (seed.approvals ?? []).map(({ user, status, created_at, comment = '' }) => ({
      user,
      status: status as 'approved' | 'rejected',
      at: instantOf(created_at, times),
      comment,
      recordedAt,
    })),
    recordedAt,
  };
}

/** The changes implied by a deployment's status and instants. */
function changesOf(seed: SeedProjectDeployment, times: SeedTimes): GitlabChange[] {
  const { recordedAt } = times;
  const created = createdOf(seed, times);
  const started = seed.started_at === undefined ? undefined : instantOf(seed.started_at, times);
  const finished = seed.finished_at === undefined ? undefined : instantOf(seed.finished_at, times);
  const changes: GitlabChange[] = [{ status: 'created', at: created, recordedAt }];
  if (started !== undefined) changes.push({ status: 'running', at: started, recordedAt });
  if (seed.status !== changes.at(-1)?.status) {
    const failureReason = seed.failure_reason && { failureReason: seed.failure_reason };
    changes.push({ status: seed.status, at: finished ?? started ?? created, ...failureReason, recordedAt });
  }
  return changes;
}
