import { answeredStatus, type Client } from '@shiplog/client';
import { limits, type Release, type ReleaseDetail } from '@shiplog/contract';
import { type Befores, beforesOf } from '../log/before.ts';
import type { ReleaseState } from '../state/address/release.ts';
import { meant, nameOf, nearest } from './matches.ts';

export type Found =
  | {
      readonly kind: 'one';
      readonly detail: ReleaseDetail;
      readonly befores: Befores;
    }
  /** Newest first; `isAll` if every match is included. */
  | { readonly kind: 'several'; readonly items: readonly Release[]; readonly isAll: boolean }
  /** `nearest` has releases of the service; of all services if the service is unknown or has no releases. */
  | { readonly kind: 'none'; readonly asked: string; readonly nearest: readonly Release[] };

/** Finds the requested release, or up to `count` candidates. */
export async function findRelease(
  client: Client,
  { service, release }: Pick<ReleaseState, 'service' | 'release'>,
  count: number,
  signal: AbortSignal,
): Promise<Found> {
  const list = async (query: { service?: string; q?: string; limit: number }) =>
    (await client.listReleases({ query, signal })).body;
  const of = service === undefined ? {} : { service };
  const isSearchable =
    release !== undefined && release.length >= limits.releaseQueryMin && release.length <= limits.releaseQueryMax;
  const { items, next_cursor } = await list({ ...of, ...(isSearchable ? { q: release } : {}), limit: count });
  if (release === undefined) return { kind: 'several', items, isAll: next_cursor === null };
  const matching = isSearchable ? items : items.filter((item) => nameOf(item) === release);
  const one = meant(release, matching);
  const isSure = one && (nameOf(one) === release || next_cursor === null);
  const detail = isSure
    ? await detailOf(client, one.service, nameOf(one), signal)
    : // The exact name may be on a later page.
      service !== undefined && next_cursor !== null && (await detailOf(client, service, release, signal));
  if (detail) return { kind: 'one', detail, befores: await beforesOf(client, detail, signal) };
  if (matching.length > 0) return { kind: 'several', items: matching, isAll: next_cursor === null };
  const own = await list({ ...of, limit: limits.pageSizeMax });
  const all = own.items.length > 0 ? own : await list({ limit: limits.pageSizeMax });
  return { kind: 'none', asked: release, nearest: nearest(release, all.items, nameOf) };
}

async function detailOf(
  client: Client,
  service: string,
  version: string,
  signal: AbortSignal,
): Promise<ReleaseDetail | undefined> {
  // A path segment can't be `.` or `..`.
  if ([service, version].some((name) => name === '.' || name === '..')) return undefined;
  try {
    return (await client.getRelease({ params: { service, version }, signal })).body;
  } catch (error) {
    if (answeredStatus(error) === 404) return undefined;
    throw error;
  }
}
