import { type Finding, instantKey, type Outage, type outageFindingKinds } from '@shiplog/contract';
import { byOpening } from './outage-figures.ts';
import { placesOf } from './outages.ts';

type OutageFindingKind = (typeof outageFindingKinds)[number];

export interface JudgedOutages {
  /** Outages in scope, with their links. */
  readonly outages: readonly Outage[];
  /** The keys of those with a resolution before their first opening. */
  readonly resolvedEarly: ReadonlySet<string>;
  /** The services of the log. */
  readonly services: ReadonlySet<string>;
  /** The last environments of the promotion order. */
  readonly lastEnvironments: readonly string[];
  /** The database's clock in milliseconds since 1970. */
  readonly now: number;
}

export const outageKeyOf = ({ source, outage_id }: Pick<Outage, 'source' | 'outage_id'>) =>
  JSON.stringify([source, outage_id]);

const openLongMs = 7 * 86_400_000;
const namedMax = 5;
const isUnexplained = new Set<Outage['reason']>(['no-service', 'no-deployment-in-time', 'unknown-deployment']);

/** Each string completes a sentence that starts with the number of outages. */
const advice: Readonly<Record<OutageFindingKind, readonly [one: string, several: string, todo: string]>> = {
  'resolved-before-opened': [
    'outage was resolved before it was opened',
    'outages were resolved before they were opened',
    'correct the happened_at that the tool posts, or post the missing opening',
  ],
  'open-long': [
    'outage has been open for more than 7 days',
    'outages have been open for more than 7 days',
    'resolve or dismiss it',
  ],
  'unknown-service': [
    'outage is about a service that the log does not have',
    'outages are about a service that the log does not have',
    'correct the name, or map the name that the tool uses',
  ],
  unlinked: [
    'outage in production has no deployment',
    'outages in production have no deployment',
    'name its cause, or say that no deployment caused it',
  ],
};

/** The findings about outages: one of each kind, and of `unknown-service` one for each name (outages.md 7.18). */
export function outageFindings(judged: JudgedOutages): Finding[] {
  const { resolvedEarly, services, lastEnvironments, now } = judged;
  const outages = judged.outages.filter(({ state }) => state !== 'dismissed').toSorted(byOpening);
  const longAgo = instantKey(new Date(now - openLongMs).toISOString());
  const isProduction = (outage: Outage) =>
    placesOf(outage, lastEnvironments).environments.some((name) => lastEnvironments.includes(name));
  const found: [OutageFindingKind, string | null, readonly Outage[]][] = [
    ['resolved-before-opened', null, outages.filter((outage) => resolvedEarly.has(outageKeyOf(outage)))],
    ['open-long', null, outages.filter(({ state, opened_at }) => state === 'open' && instantKey(opened_at) < longAgo)],
    ['unlinked', null, outages.filter((outage) => isUnexplained.has(outage.reason) && isProduction(outage))],
  ];
  const unknown = new Map<string, Outage[]>();
  for (const outage of outages) {
    for (const name of outage.services ?? [])
      if (!services.has(name)) unknown.set(name, [...(unknown.get(name) ?? []), outage]);
  }
  for (const [name, own] of unknown) found.push(['unknown-service', name, own]);
  return found.filter(([, , own]) => own.length > 0).map(([kind, service, own]) => findingOf(kind, service, own));
}

function findingOf(kind: OutageFindingKind, service: string | null, outages: readonly Outage[]): Finding {
  const [one, several, todo] = advice[kind];
  const count = outages.length;
  const named = outages.slice(0, namedMax).map(({ source, outage_id }) => `${source}/${outage_id}`);
  const more = count > namedMax ? ' and others' : '';
  const detail = `${count} ${count === 1 ? one : several} (${named.join(', ')}${more}); ${todo}.`;
  return { kind, service, environment: null, count, event_id: null, detail };
}
