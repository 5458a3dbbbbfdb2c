import { type CiTool, githubHtmlUrl } from '@shiplog/companions';
import type {
  GithubDeployment,
  GithubStatus,
  GitlabChange,
  GitlabDeployment,
  Outage,
  Project,
  Repository,
  Review,
} from './domain/model.ts';
import { pathOf } from './domain/model.ts';
import { jobIdOf } from './domain/run.ts';

/** A change that webhooks report. */
export type Change =
  | ({ readonly kind: 'deployment' } & InGithub)
  | ({ readonly kind: 'deployment_status'; readonly status: GithubStatus } & InGithub)
  | ({ readonly kind: 'deployment_review'; readonly review: Review } & InGithub)
  | ({ readonly kind: 'gitlab'; readonly change: GitlabChange } & InGitlab)
  | { readonly kind: 'outage'; readonly outage: Outage };

interface InGithub {
  readonly repository: Repository;
  readonly deployment: GithubDeployment;
}

interface InGitlab {
  readonly project: Project;
  readonly deployment: GitlabDeployment;
}

export type Place = Repository | Project;
type IdKind = 'deployment' | 'status' | 'run' | 'place' | 'outage';

/** The tools' data in memory (CI emulator §1.2). Names are compared without regard to case. */
export class Store {
  repositories: Repository[] = [];
  projects: Project[] = [];
  outages: Outage[] = [];
  /** Former paths in lower case. */
  readonly formerPaths = new Map<string, Place>();
  onChange: (change: Change) => void = () => undefined;
  readonly #greatest = { deployment: 0, status: 0, run: 0, place: 0, outage: 0 };

  clear(): void {
    this.repositories = [];
    this.projects = [];
    this.outages = [];
    this.formerPaths.clear();
    Object.assign(this.#greatest, { deployment: 0, status: 0, run: 0, place: 0, outage: 0 });
  }

  /** The next id of a kind; ids increase with creation across all repositories (CI emulator §3.6). */
  nextId(kind: IdKind): number {
    this.#greatest[kind] += 1;
    return this.#greatest[kind];
  }

  /** Registers an id that a caller chose, so that later ids are greater. */
  noteId(kind: IdKind, id: number): void {
    this.#greatest[kind] = Math.max(this.#greatest[kind], id);
  }

  /** The repository or project with a path, removed or not. */
  place(path: string): Place | undefined {
    const requested = path.toLowerCase();
    return [...this.repositories, ...this.projects].find(
      (place) => place.removedAt === undefined && pathOf(place).toLowerCase() === requested,
    );
  }

  /** A deployment by its number, or by its `deployment_id`, which also identifies the tool. */
  deployment(
    text: string,
  ):
    | { readonly place: Repository; readonly deployment: GithubDeployment }
    | { readonly place: Project; readonly deployment: GitlabDeployment }
    | undefined {
    const [, prefix, digits] = /^(?:(gh|gl)-deploy-)?(\d{1,15})$/.exec(text) ?? [];
    const id = Number(digits);
    for (const place of prefix === 'gl' ? [] : this.repositories) {
      const deployment = existing(place, id);
      if (deployment) return { place, deployment };
    }
    for (const place of prefix === 'gh' ? [] : this.projects) {
      const deployment = existing(place, id);
      if (deployment) return { place, deployment };
    }
    return undefined;
  }

  /** Whether any place in a tool shows this id. In the log, deployments with equal ids are the same deployment. */
  knows(tool: CiTool, id: number): boolean {
    const places: readonly Place[] = tool === 'github' ? this.repositories : this.projects;
    return places.some((place) => existing<Removable>(place, id) !== undefined);
  }

  addDeployment(repository: Repository, deployment: GithubDeployment): void {
    repository.deployments.set(deployment.id, deployment);
    if (!repository.environments.includes(deployment.environment)) repository.environments.push(deployment.environment);
    this.onChange({ kind: 'deployment', repository, deployment });
  }

  addStatus(repository: Repository, deployment: GithubDeployment, status: GithubStatus): void {
    deployment.statuses.push(status);
    this.onChange({ kind: 'deployment_status', repository, deployment, status });
  }

  openOutage(outage: Outage): void {
    this.outages.push(outage);
    this.onChange({ kind: 'outage', outage });
  }

  resolveOutage(outage: Outage, at: number): void {
    outage.resolvedAt = at;
    this.onChange({ kind: 'outage', outage });
  }

  addReview(repository: Repository, deployment: GithubDeployment, review: Review): void {
    deployment.reviews.push(review);
    this.onChange({ kind: 'deployment_review', repository, deployment, review });
  }

  addProjectDeployment(project: Project, deployment: GitlabDeployment): void {
    project.deployments.set(deployment.id, deployment);
    if (!project.environments.includes(deployment.environment)) project.environments.push(deployment.environment);
    for (const change of deployment.changes) this.onChange({ kind: 'gitlab', project, deployment, change });
  }

  addChange(project: Project, deployment: GitlabDeployment, change: GitlabChange): void {
    deployment.changes.push(change);
    this.onChange({ kind: 'gitlab', project, deployment, change });
  }
}

interface Removable {
  readonly removedAt?: number;
}

function existing<Row extends Removable>(
  { removedAt, deployments }: Removable & { readonly deployments: { get(id: number): Row | undefined } },
  id: number,
): Row | undefined {
  const row = deployments.get(id);
  return removedAt === undefined && row?.removedAt === undefined ? row : undefined;
}

/** The link of an Actions status to the real site (CI emulator §3.7). Empty without Actions, like GitHub. */
export function logUrlOf(repository: Repository, deployment: GithubDeployment, { logUrl }: GithubStatus): string {
  if (logUrl !== undefined) return logUrl;
  if (!deployment.run) return '';
  const run = `${githubHtmlUrl}/${pathOf(repository)}/actions/runs/${deployment.run.id}`;
  const job = jobIdOf(repository, deployment);
  return job === undefined ? run : `${run}/job/${job}`;
}
