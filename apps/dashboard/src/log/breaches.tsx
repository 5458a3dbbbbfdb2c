import type { Breach, DeploymentEvent } from '@shiplog/contract';
import { globOf } from '../board/filter.ts';
import { pagesOf } from '../live/request.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { NoticeIcon } from '../ui/notice-icon.tsx';

/** A deployment, or one of its events, with a time at or after its begin. */
interface Deployed {
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly at: string;
}

/** The breach of a deployment in a place; `undefined` = it breached no hold. */
export type BreachOf = (deployed: Omit<Deployed, 'at'>) => Breach | undefined;

const pagesMax = 10;
const servicesMax = 20;
/** A deployment may have begun this long before its first event in a list. */
const beforeMs = 86_400_000;

/** The breaches of holds by these deployments (holds.md 4.3). Those of deployments that ran for over a day may lack. */
export function useBreaches(deployed: readonly Deployed[]): BreachOf {
  const { connection, notices } = useApp();
  const holds = useStore(notices)?.key;
  const query = queryOf(deployed);
  const answer = useAnswer(
    async (signal) => {
      const found = new Map<string, Breach>();
      if (!query) return found;
      const page = (from: { readonly cursor?: string }) =>
        connection.client.listBreaches({ query: { ...query, ...from }, signal });
      for await (const { items } of pagesOf(page, pagesMax)) for (const each of items) found.set(keyOf(each), each);
      return found;
    },
    [query, holds],
  );
  const found = answer.kind === 'here' ? answer.value : undefined;
  return (one) => found?.get(keyOf(one));
}

/** The breach that begins with this event. */
export function breachAt(event: DeploymentEvent, breachOf: BreachOf): Breach | undefined {
  const breach = breachOf(event);
  return breach?.event_id === event.id ? breach : undefined;
}

export function deployedOf(event: DeploymentEvent): Deployed {
  return { ...event, at: event.happened_at };
}

function keyOf({ service, environment, deployment_id }: Omit<Deployed, 'at'>): string {
  return JSON.stringify([service, environment, deployment_id]);
}

/** The smallest query that covers them, in whole hours, so that another row seldom changes it. */
function queryOf(deployed: readonly Deployed[]) {
  if (deployed.length === 0) return undefined;
  const times = deployed.map(({ at }) => Date.parse(at));
  const hourMs = 3_600_000;
  const hour = (ms: number) => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
  const least = times.reduce((one, other) => Math.min(one, other));
  const most = times.reduce((one, other) => Math.max(one, other));
  const services = [...new Set(deployed.map(({ service }) => globOf(service)))];
  return {
    from: hour(least - beforeMs),
    to: hour(most + hourMs),
    ...(services.length <= servicesMax && { services }),
  };
}

const words = {
  freeze: 'Deployed in spite of a freeze',
  lock: 'Deployed in spite of a lock',
  bad: 'Deployed although the version was marked as bad',
} as const;

/** Marks a deployment that breached a hold. */
export function BreachMark({ breach }: { readonly breach: Breach | undefined }) {
  if (!breach) return null;
  const text = words[breach.kind];
  return (
    <span class="breach">
      <NoticeIcon mark={{ kind: breach.kind, text }} />
      <span class="unseen">{text}</span>
    </span>
  );
}
