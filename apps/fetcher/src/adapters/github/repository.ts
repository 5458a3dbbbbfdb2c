import type { Change } from '../../change.ts';
import type { Failing } from '../../tool/rounds.ts';
import type { Deployment } from './api.ts';

/** The maximum staleness of a read. Lists are compared again this far back. */
export const overlapMs = 10 * 60_000;

/** An open deployment, polled in each cycle (fetcher §9.1). */
export interface Watched {
  readonly id: number;
  /** Absent after a restart until the deployment is read. */
  readonly deployment?: Deployment;
  /** Its newest reported change; absent after a restart. */
  readonly last?: Change;
  /** Whether its newest status is terminal and was reported. */
  readonly ended?: boolean;
  readonly isReported?: boolean;
  /** Whether it was missing in the last cycle. */
  readonly missed?: boolean;
  readonly failing?: Failing;
}

export interface Backfilling {
  /** The least processed id; 0: all; `undefined`: none. */
  least: number | undefined;
  /** The remaining part of pass 1; `undefined` until the first page is read. */
  heads: Deployment[] | undefined;
  /** The current page of pass 2, its remaining deployments, and its least id. */
  page: number;
  left: Deployment[];
  leastOfPage: number;
}

/** The known data of a repository: its memory, and data that saves requests. */
export interface Repository {
  /** `owner/name`, as listed or configured. */
  readonly name: string;
  /** When the last fully processed list was requested, by the tool's clock. */
  polledMs: number;
  /** The greatest processed deployment id; 0: none; `undefined`: not polled yet. */
  mark: number | undefined;
  readonly open: Map<number, Watched>;
  /** When the processed deployments of the last list were updated: milliseconds by id. */
  seen: ReadonlyMap<number, number>;
  /** Absent if there is nothing to backfill or the backfill is complete. */
  backfill: Backfilling | undefined;
}

/** Whether the repository hasn't been read yet because its backfill will read it. */
export function isUnbegun({ mark, backfill }: Repository): boolean {
  return mark === undefined && backfill !== undefined && backfill.least === undefined;
}

export function isOver({ backfill }: Repository): boolean {
  return backfill?.least === 0;
}

export function startOfBackfill(): Backfilling {
  return { least: undefined, heads: undefined, page: 1, left: [], leastOfPage: 0 };
}

export function repositoryPath(repo: string): string {
  return `/repos/${repo.split('/').map(encodeURIComponent).join('/')}`;
}

export function deploymentsPath(repo: string, page = 1): string {
  return `${repositoryPath(repo)}/deployments?per_page=100${page > 1 ? `&page=${page}` : ''}`;
}

export function createdMs({ createdAt }: Deployment): number {
  return Date.parse(createdAt);
}

export function updatedMs({ updatedAt }: Deployment): number {
  return Date.parse(updatedAt);
}
