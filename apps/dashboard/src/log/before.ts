import type { Client } from '@shiplog/client';
import type { DeploymentEvent, ReleaseDetail } from '@shiplog/contract';
import { type ReleaseNames, sameRelease } from '../board/same-release.ts';

/** The last good version in an environment before another release replaced it. */
export interface Before {
  readonly event: DeploymentEvent;
  /** When it began to run. */
  readonly since: string;
  readonly until: string;
}

/** By environment. */
export type Befores = ReadonlyMap<string, Before>;

/** Enough for a release that was deployed again several times. */
const successesRead = 50;

/** What ran before a release in each environment in which it has succeeded. */
export async function beforesOf(client: Client, detail: ReleaseDetail, signal: AbortSignal): Promise<Befores> {
  const { service, places, events } = detail;
  const found = await Promise.all(
    Object.entries(places).map(async ([environment, { since }]) => {
      const last = events.find((event) => event.environment === environment && event.status === 'success');
      const until = since ?? last?.happened_at;
      if (until === undefined) return [];
      const query = { service, environment, status: 'success', until, limit: successesRead } as const;
      const { body } = await client.listDeployments({ query, signal });
      const before = beforeOf(body.items, detail, until);
      return before ? [[environment, before] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** `successes` are those before `until`, newest first; some may be of the release itself. */
export function beforeOf(
  successes: readonly DeploymentEvent[],
  release: ReleaseNames,
  until: string,
): Before | undefined {
  const at = successes.findIndex((event) => !sameRelease(event, release));
  const event = successes[at];
  if (!event) return undefined;
  const older = successes.slice(at);
  const end = older.findIndex((other) => !sameRelease(other, event));
  const first = older.at(end < 0 ? -1 : end - 1) ?? event;
  return { event, since: first.happened_at, until: successes[at - 1]?.happened_at ?? until };
}
