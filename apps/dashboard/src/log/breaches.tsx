import type { Breach, DeploymentEvent } from '@shiplog/contract';
import { literalGlob } from '@shiplog/text';
import { useCallback, useMemo } from 'preact/hooks';
import { itemsOf } from '../live/request.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { NoticeIcon } from '../ui/notice-icon.tsx';
import { type Deployed, deploymentKey } from './log-query.ts';

/** The breach of a deployment in a place; `undefined` = it breached no hold. */
export type BreachOf = (deployed: Deployed) => Breach | undefined;

const pagesMax = 10;
const servicesMax = 20;
/** A deployment may have begun this long before its first event in a list. */
const beforeMs = 86_400_000;

/**
 * The breaches of holds by the deployments of a list (holds.md 4.3). Those of deployments that ran for over a day may
 * be missing. The function stays the same until the breaches change.
 * @param rows deployments or events; the same array until they change.
 * @param atOf the time of a row, at or after the start of its deployment.
 */
export function useBreaches<Row extends Deployed>(rows: readonly Row[], atOf: (row: Row) => string): BreachOf {
  const { connection, notices } = useApp();
  const holds = useStore(notices)?.key;
  const query = useMemo(() => queryOf(rows, atOf), [rows]);
  const answer = useAnswer(
    async (signal) => {
      const ask = (from: { readonly cursor?: string }) =>
        connection.client.listBreaches({ query: { ...query, ...from }, signal });
      const breaches = query ? await itemsOf(ask, pagesMax) : [];
      return new Map(breaches.map((breach) => [deploymentKey(breach), breach]));
    },
    [JSON.stringify(query), holds],
  );
  const found = answer.kind === 'here' ? answer.value : undefined;
  return useCallback((one: Deployed) => found?.get(deploymentKey(one)), [found]);
}

/** The breaches of a list of events. */
export function useBreachesOfEvents(events: readonly DeploymentEvent[]): BreachOf {
  return useBreaches(events, ({ happened_at }) => happened_at);
}

/** The breach that begins with this event. */
export function breachAt(event: DeploymentEvent, breachOf: BreachOf): Breach | undefined {
  const breach = breachOf(event);
  return breach?.event_id === event.id ? breach : undefined;
}

/** The smallest query that covers them, in whole hours, so that another row rarely changes it. */
function queryOf<Row extends Deployed>(rows: readonly Row[], atOf: (row: Row) => string) {
  if (rows.length === 0) return undefined;
  const times = rows.map((row) => Date.parse(atOf(row)));
  const hourMs = 3_600_000;
  const hour = (ms: number) => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
  const least = times.reduce((one, other) => Math.min(one, other));
  const most = times.reduce((one, other) => Math.max(one, other));
  const services = [...new Set(rows.map(({ service }) => literalGlob(service)))];
  return {
    from: hour(least - beforeMs),
    to: hour(most + hourMs),
    ...(services.length <= servicesMax && { services }),
  };
}

const words = {
  freeze: 'Deployed despite a freeze',
  lock: 'Deployed despite a lock',
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
