import type { DeploymentEvent, Outage } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';

/** The newest open outage of a place (outages.md 4). An outage without environments affects production. */
export type OutageIn = (service: string, environment: string, isProduction: boolean) => Outage | undefined;

export function outagesByPlace(outages: readonly Outage[]): OutageIn {
  const ofService = new Map<string, Outage[]>();
  for (const outage of outages) {
    for (const service of outage.services ?? []) ofService.set(service, [...(ofService.get(service) ?? []), outage]);
  }
  return (service, environment, isProduction) =>
    ofService
      .get(service)
      ?.find(({ environments }) => (environments?.length ? environments.includes(environment) : isProduction));
}

/** "suspected: 1.4.2", "caused by 1.4.2", "no deployment suspected"; `events` are those of the place. */
export function causeText({ links, caused_by }: Outage, events: readonly DeploymentEvent[]): string {
  const isHere = ({ event_id }: (typeof links)[number]) => events.some(({ id }) => id === event_id);
  const link = links.find(isHere) ?? links[0];
  if (!link) return 'no deployment suspected';
  const event = events.find(({ id }) => id === link.event_id);
  const named = caused_by && 'version' in caused_by ? caused_by.version : undefined;
  const version = event ? versionOf(event) : (named ?? link.deployment_id);
  return `${link.rule === 'named' ? 'caused by' : 'suspected:'} ${version}`;
}

/** "Payments are declined", or the id where the outage has no title. */
export function outageTitle({ title, source, outage_id }: Outage): string {
  return title ?? `${source} ${outage_id}`;
}
