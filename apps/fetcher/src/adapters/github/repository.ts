import type { Change } from '../../change.ts';
import type { Failing } from '../../tool/failing.ts';
import type { Deployment } from './api.ts';

/** How old a read may be at most, beside others of the same tool: how far back a list is compared once more. */
export const overlapMs = 10 * 60_000;

/** A deployment that is open: it is asked in each cycle (fetcher §9.1). */
export interface Watched {
  readonly id: number;
  /** Unknown after a restart, until it is asked. */
  readonly deployment?: Deployment;
  /** The newest change that was told of it; it is unknown after a restart. */
  readonly last?: Change;
  /** Whether its newest status is a terminal one that was told. */
  readonly ended?: boolean;
  /** Whether changes were made of all its statuses. */
  readonly told?: boolean;
  /** Whether it was not there in the last cycle. */
  readonly missed?: boolean;
  /** Where it could not be read. */
  readonly failing?: Failing;
}

/** How far the backfill of a repository is. */
export interface Backfilling {
  /** The least id that is done; 0: all of them; `undefined` before the first. */
  least: number | undefined;
  /** What pass 1 has to do; `undefined` until the first page was read. */
  heads: Deployment[] | undefined;
  /** The page that pass 2 is at, what of it is to be done, and the least id of it. */
  page: number;
  left: Deployment[];
  leastOfPage: number;
}

/** What is known of a repository: what its memory holds, and what saves requests. */
export interface Repository {
  /** `owner/name`, as it was listed or configured. */
  readonly name: string;
  /** By the tool's clock, when the last list was asked for whose news are all told. */
  lookedMs: number;
  /** The greatest deployment id that was dealt with, 0 while there is none; `undefined` before the first look. */
  mark: number | undefined;
  readonly open: Map<number, Watched>;
  /** When those of the last list were updated that were dealt with; ms by id. */
  seen: ReadonlyMap<number, number>;
  /** Without it there was nothing to do, or it was over long ago. */
  backfill: Backfilling | undefined;
}

/** Whether nothing of it was looked at, because its backfill does so from the first on. */
export function isUnbegun({ mark, backfill }: Repository): boolean {
  return mark === undefined && backfill !== undefined && backfill.least === undefined;
}

export function isOver({ backfill }: Repository): boolean {
  return backfill?.least === 0;
}

export function startOfBackfill(): Backfilling {
  return { least: undefined, heads: undefined, page: 1, left: [], leastOfPage: 0 };
}

export function createdMs({ createdAt }: Deployment): number {
  return Date.parse(createdAt);
}

export function updatedMs({ updatedAt }: Deployment): number {
  return Date.parse(updatedAt);
}
