import type { GithubState, GitlabStatus, OutageTool } from '@shiplog/companions';
import type { Job } from './jobs.ts';

/** The contents of the store. Instants are epoch milliseconds; `recordedAt` and `removedAt` use the emulator's clock. */
export interface Recorded {
  readonly recordedAt: number;
  removedAt?: number;
}

export interface Workflow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly yaml: string;
  readonly state: string;
}

export type JobConclusion = 'success' | 'failure' | 'cancelled' | 'skipped';
export type RunConclusion = 'success' | 'failure' | 'cancelled';

export interface GithubStatus extends Recorded {
  readonly id: number;
  readonly state: GithubState;
  /** In whole seconds, like GitHub. */
  readonly at: number;
  readonly creator: string;
  readonly logUrl?: string;
  /** The conclusions of the job and the run at this status, if the state does not determine them. */
  readonly jobConclusion?: JobConclusion;
  readonly runConclusion?: RunConclusion;
}

export interface Review extends Recorded {
  readonly state: 'approved' | 'rejected';
  readonly user: string;
  readonly at: number;
  readonly comment: string;
}

export interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly content: string;
}

export interface GithubDeployment extends Recorded {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly environment: string;
  readonly task: string;
  readonly payload: object | string;
  readonly creator: string;
  readonly at: number;
  readonly transient: boolean;
  /** The Actions run that created the deployment, if any. */
  readonly run?: { readonly id: number; readonly attempt: number; readonly workflow: Workflow; readonly job?: string };
  readonly artifact?: Artifact;
  readonly statuses: GithubStatus[];
  readonly reviews: Review[];
}

export interface Repository extends Recorded {
  readonly tool: 'github';
  readonly id: number;
  owner: string;
  name: string;
  readonly ownerType: 'Organization' | 'User';
  archived: boolean;
  forbidden: boolean;
  readonly workflows: Workflow[];
  /** Each workflow's jobs by workflow id, read from its file on first use. */
  readonly jobs: Map<number, readonly Job[]>;
  readonly environments: string[];
  readonly deletedBranches: readonly string[];
  readonly deployments: Map<number, GithubDeployment>;
}

export interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly stages: readonly string[];
  readonly jobs: readonly { readonly name: string; readonly stage: string; readonly needs?: readonly string[] }[];
}

/** One change of a GitLab deployment. The tool shows only the newest. */
export interface GitlabChange extends Recorded {
  readonly status: GitlabStatus;
  readonly at: number;
  readonly failureReason?: string;
}

export interface GitlabApproval extends Recorded {
  readonly user: string;
  readonly status: 'approved' | 'rejected';
  readonly at: number;
  readonly comment: string;
}

export interface GitlabDeployment extends Recorded {
  readonly id: number;
  readonly iid: number;
  readonly environment: string;
  readonly sha: string;
  readonly ref: string;
  readonly user: string;
  readonly at: number;
  readonly job?: { readonly pipeline: Pipeline; readonly name: string };
  readonly changes: GitlabChange[];
  readonly approvals: GitlabApproval[];
}

export interface Project extends Recorded {
  readonly tool: 'gitlab';
  readonly id: number;
  path: string;
  readonly utcOffset: string;
  archived: boolean;
  forbidden: boolean;
  readonly environments: string[];
  readonly pipelines: Pipeline[];
  readonly deployments: Map<number, GitlabDeployment>;
}

/** An incident, an alert, or an issue of a repository. */
export interface Outage {
  readonly id: string;
  readonly tool: OutageTool;
  /** Numbers incidents and issues. */
  readonly number: number;
  readonly title: string;
  /** The repository or project of an issue. */
  readonly place: Repository | Project | undefined;
  readonly service: string | undefined;
  readonly environment: string | undefined;
  readonly severity: string | undefined;
  readonly openedAt: number;
  resolvedAt: number | undefined;
}

/** The path in URLs: `owner/repo`, or the path of a project. */
export function pathOf(place: Repository | Project): string {
  return place.tool === 'github' ? `${place.owner}/${place.name}` : place.path;
}

/** The rows that existed at an instant, for a delayed reader (CI emulator §7 `lag_ms`). */
export function seenAt<Item extends Recorded>(items: Iterable<Item>, instant: number): Item[] {
  return [...items].filter(
    ({ recordedAt, removedAt }) => recordedAt <= instant && !(removedAt !== undefined && removedAt <= instant),
  );
}

/** Oldest first: by instant, then by creation. */
export function inOrder<Item extends { readonly at: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => one.at - other.at);
}
