import type { Outage, OutageLink, UnlinkedReason } from '@shiplog/contract';
import { grouped } from '@shiplog/text';
import type { Queries } from '../db/database.ts';
import { lastSuccesses, type OutagePlace, successesOfDeployments, successesOfReleases } from '../db/outages.ts';
import { isBefore } from '../domain/holds.ts';
import { isLaterSuccess, isRelease, type OutageState, placesOf, type Success } from '../domain/outages.ts';

export interface LinkSources {
  readonly queries: Queries;
  /** The last environments of the promotion order. */
  readonly lastEnvironments: readonly string[];
  /** How long before an outage a deployment is suspected (`OUTAGE_LINK_HOURS`). */
  readonly linkHours: number;
  /** Only events before this id count. */
  readonly below?: string;
}

/** Outages with the deployments that caused them, or may have (outages.md 2). */
export async function linked(outages: readonly OutageState[], sources: LinkSources): Promise<Outage[]> {
  const found = await linksOf(outages, sources);
  return outages.map((outage, index) => {
    const links = found[index] ?? 'no-service';
    if (typeof links === 'string') return { ...outage, links: [], reason: links };
    const rule = outage.caused_by ? 'named' : 'suspected';
    const newestFirst = [...links].sort((one, other) => (isLaterSuccess(one, other) ? -1 : 1));
    return { ...outage, links: newestFirst.map((success) => linkTo(success, rule)), reason: null };
  });
}

function linkTo({ service, environment, deployment_id, id, at }: Success, rule: OutageLink['rule']): OutageLink {
  return { rule, service, environment, deployment_id, event_id: id, at };
}

type Links = readonly Success[] | UnlinkedReason;

/** For each outage the linked successes, or the first reason why there are none. */
async function linksOf(outages: readonly OutageState[], sources: LinkSources): Promise<Links[]> {
  const known = outages.map(knownReason);
  const open = (index: number) => known[index] === undefined;
  const named = await namedBy(
    outages.filter((outage, index) => open(index) && outage.caused_by !== null),
    sources,
  );
  const suspects = await suspectsOf(
    outages.filter((outage, index) => open(index) && outage.caused_by === null),
    sources,
  );
  return outages.map((outage, index): Links => {
    const reason = known[index];
    if (reason !== undefined) return reason;
    const links = (outage.caused_by ? named : suspects).get(outage) ?? [];
    return links.length > 0 ? links : outage.caused_by ? 'unknown-deployment' : 'no-deployment-in-time';
  });
}

function knownReason({ state, not_by_deployment, caused_by, services }: OutageState): UnlinkedReason | undefined {
  if (state === 'dismissed') return 'dismissed';
  if (not_by_deployment) return 'not-by-deployment';
  return caused_by === null && (services ?? []).length === 0 ? 'no-service' : undefined;
}

async function suspectsOf(
  outages: readonly OutageState[],
  { queries, linkHours, ...own }: LinkSources,
): Promise<Map<OutageState | undefined, Success[]>> {
  const places = outages.flatMap((outage, index): OutagePlace[] => {
    const { services, environments } = placesOf(outage, own.lastEnvironments);
    return services.map((service) => ({ index, service, environments, openedAt: outage.opened_at }));
  });
  const found = places.length === 0 ? [] : await lastSuccesses(queries, { places, hours: linkHours, below: own.below });
  return grouped(found, ({ place }) => outages[places[place]?.index ?? -1]);
}

/** The rows of the deployments and releases that a person or tool named (outages.md 7.6). */
async function namedBy(outages: readonly OutageState[], { queries, lastEnvironments, below }: LinkSources) {
  const causes = outages.map(({ caused_by }) => caused_by ?? {});
  const ids = new Set(causes.flatMap((cause) => (isRelease(cause) ? [] : [deploymentOf(cause)])));
  const releases = new Map(causes.flatMap((cause) => (isRelease(cause) ? [[releaseKey(cause), cause] as const] : [])));
  const ofDeployment = grouped(
    ids.size === 0 ? [] : await successesOfDeployments(queries, [...ids], below),
    (row) => row.deployment_id,
  );
  const ofRelease = grouped(
    releases.size === 0 ? [] : await successesOfReleases(queries, [...releases.values()], below),
    (row) => releaseKey({ service: row.service, version: row.asked }),
  );
  return new Map(
    outages.map((outage) => {
      const { environments } = placesOf(outage, lastEnvironments);
      const cause = outage.caused_by ?? {};
      const rows = isRelease(cause)
        ? releaseRows(ofRelease.get(releaseKey(cause)) ?? [], { openedAt: outage.opened_at, environments })
        : deploymentRows(ofDeployment.get(deploymentOf(cause)) ?? [], { openedAt: outage.opened_at, environments });
      return [outage, rows] as const;
    }),
  );
}

const deploymentOf = (cause: object) => String((cause as { readonly deployment_id?: string }).deployment_id);
const releaseKey = ({ service, version }: { readonly service: string; readonly version: string }) =>
  JSON.stringify([service, version]);

interface Affected {
  readonly openedAt: string;
  readonly environments: readonly string[];
}

/** @param rows oldest first. */
function deploymentRows(rows: readonly Success[], { openedAt, environments }: Affected): Success[] {
  const isAffected = ({ environment }: Success) => environments.includes(environment);
  const row = lastBefore(rows.filter(isAffected), openedAt) ?? lastBefore(rows, openedAt) ?? rows[0];
  return row ? [row] : [];
}

/** One row in each affected environment. @param rows oldest first. */
function releaseRows(rows: readonly Success[], { openedAt, environments }: Affected): Success[] {
  return environments.flatMap((environment) => {
    const own = rows.filter((row) => row.environment === environment);
    return lastBefore(own, openedAt) ?? own[0] ?? [];
  });
}

function lastBefore(rows: readonly Success[], openedAt: string): Success | undefined {
  return rows.findLast(({ at }) => !isBefore(openedAt, at));
}
