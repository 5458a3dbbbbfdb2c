import { type DeploymentEvent, instantKey, type Status } from '@shiplog/contract';
import { globMatches, wantsEvent } from '../board/filter.ts';
import { instantKeyOf, rfcInstant } from '../board/instant.ts';
import type { Ownership } from '../board/ownership.ts';
import type { Address } from '../state/address.ts';

export interface ListQuery {
  readonly service?: string;
  readonly environment?: string;
  readonly status?: Status;
  readonly deployment_id?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface LogQuery {
  readonly listing: ListQuery;
  /** Whether an event matches the filters of the listing and of the browser. */
  readonly wants: (event: DeploymentEvent) => boolean;
  /** Pages include events that don't match, because the listing doesn't support all filters. */
  readonly isFilteredHere: boolean;
  /** The filters contradict each other, so nothing is requested. */
  readonly isImpossible: boolean;
  /** Equal queries have equal keys. */
  readonly key: string;
}

/** The names on the board. They are needed because the listing is case-sensitive and filters aren't. */
export interface KnownNames {
  readonly services: Iterable<string>;
  readonly environments: Iterable<string>;
}

export function logQueryOf(address: Address, known: KnownNames, ownership: Ownership): LogQuery {
  const { filter, status, actor, deployment } = address;
  const [since, until] = [rfcInstant(address.since), rfcInstant(address.until)];
  const service = exactName(filter.services, known.services);
  const environment = exactName(filter.environments, known.environments);
  const only = filter.only && filter.only !== 'behind' ? onlyStatus[filter.only] : undefined;
  const requested = status ?? only;
  const listing: ListQuery = {
    ...(service !== undefined && { service }),
    ...(environment !== undefined && { environment }),
    ...(requested !== undefined && { status: requested }),
    ...(deployment !== undefined && { deployment_id: deployment }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const isByOwner = filter.teams.length > 0 || filter.mine;
  const [from, before] = [since && instantKeyOf(since), until && instantKeyOf(until)];
  return {
    listing,
    wants: (event) =>
      wantsEvent(filter, event, ownership) &&
      (status === undefined || event.status === status) &&
      (actor === undefined || event.actor === actor) &&
      (deployment === undefined || event.deployment_id === deployment) &&
      (!from || instantKey(event.happened_at) >= from) &&
      (!before || instantKey(event.happened_at) < before),
    isFilteredHere:
      filter.text !== undefined ||
      isByOwner ||
      actor !== undefined ||
      (filter.services.length > 0 && service === undefined) ||
      (filter.environments.length > 0 && environment === undefined),
    isImpossible: Boolean(status && only && status !== only) || Boolean(from && before && from >= before),
    key: JSON.stringify([listing, filter, actor, isByOwner && ownershipKey(ownership)]),
  };
}

/** A key that changes when services move between teams, and when the viewer's favourites change. */
function ownershipKey({ items, favourites }: Ownership): unknown {
  return [[...items.values()].map(({ service, team }) => [service, team]), favourites];
}

/** The history of one slot, up to a time if one is given. */
export function logQueryOfSlot(
  slot: { readonly service: string; readonly environment: string },
  asof?: string,
): LogQuery {
  const { service, environment } = slot;
  const last = asof === undefined ? undefined : instantKeyOf(asof);
  return {
    // The past board includes events at exactly `asof`, and `until` is exclusive.
    listing: { service, environment, ...(asof !== undefined && { until: momentAfter(asof) }) },
    wants: (event) =>
      event.service === service &&
      event.environment === environment &&
      (last === undefined || instantKey(event.happened_at) <= last),
    isFilteredHere: false,
    isImpossible: false,
    key: JSON.stringify([slot, asof]),
  };
}

/** The end of the millisecond that includes a time. */
function momentAfter(instant: string): string {
  return new Date(Math.floor(Date.parse(instant)) + 1).toISOString();
}

const onlyStatus = { failed: 'failure', running: 'in-progress' } as const;

/** The only name that the globs match, as spelled in the log; `undefined` if they match no name or several. */
function exactName(globs: readonly string[], known: Iterable<string>): string | undefined {
  const [glob] = globs;
  if (glob === undefined || globs.length > 1 || /[*?]/.test(glob)) return undefined;
  const matching = [...known].filter((name) => globMatches(glob, name));
  return matching.length > 1 ? undefined : (matching[0] ?? glob);
}
