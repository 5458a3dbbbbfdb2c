import type { Release } from '@shiplog/contract';
import { type Filter, wantsEnvironment, wantsService } from '../board/filter.ts';
import type { Ownership } from '../board/ownership.ts';

/** Whether a release passes the page's filter by service, environment and name. No release counts as behind. */
export function releaseMatches(filter: Filter, release: Release, ownership: Ownership): boolean {
  const { service, version, sha, ref, actor, places } = release;
  const status = filter.only === 'failed' ? 'failure' : filter.only === 'running' ? 'in-progress' : undefined;
  const isThere = ([environment, { event }]: [string, Release['places'][string]]) =>
    wantsEnvironment(filter, environment) && (status === undefined || event.status === status);
  const isAnywhere = filter.environments.length === 0 && status === undefined;
  if (!wantsService(filter, service, ownership) || !(isAnywhere || Object.entries(places).some(isThere))) return false;
  const text = filter.text?.toLowerCase() ?? '';
  return [service, version, sha, ref, actor].some((name) => name?.toLowerCase().includes(text));
}

export function narrowsReleases({ services, teams, environments, mine, only, text }: Filter): boolean {
  const isNarrow = [services, teams, environments].some((names) => names.length > 0);
  return isNarrow || mine || only === 'failed' || only === 'running' || Boolean(text);
}
