import type { Release } from '@shiplog/contract';
import type { Board } from '../board/board.ts';
import { eventsOfRow } from '../board/box.ts';

/** A release, with a text that names its environments. */
export interface KnownRelease {
  readonly service: string;
  readonly version: string | null;
  readonly sha: string | null;
  readonly where: string;
}

/** Names on a board other than services and environments. */
export interface KnownNames {
  readonly actors: readonly string[];
  readonly releases: readonly KnownRelease[];
}

/** Actors and releases, newest release first. */
export function namesOn(board: Board): KnownNames {
  const actors = new Set<string>();
  const releases = new Map<string, { of: KnownRelease; at: string; environments: Set<string> }>();
  for (const row of board.rows.values()) {
    for (const { service, environment, version, sha, actor, happened_at } of eventsOfRow(row)) {
      if (actor) actors.add(actor);
      if (!version && !sha) continue;
      const of = { service, version: version || null, sha: sha || null, where: '' };
      const key = releaseKey(of);
      const known = releases.get(key) ?? { of, at: happened_at, environments: new Set<string>() };
      known.environments.add(environment);
      if (happened_at > known.at) known.at = happened_at;
      releases.set(key, known);
    }
  }
  const newest = [...releases.values()].sort((one, other) => (one.at < other.at ? 1 : -1));
  return {
    actors: [...actors],
    releases: newest.map(({ of, environments }) => ({ ...of, where: `seen in ${[...environments].join(', ')}` })),
  };
}

/** A key that identifies a release from any source. */
export function releaseKey({ service, version, sha }: Pick<Release, 'service' | 'version' | 'sha'>): string {
  return JSON.stringify([service, version ?? sha]);
}
