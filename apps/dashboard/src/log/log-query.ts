import { type DeploymentEvent, instantKey, type Status } from '@shiplog/contract';
import { globMatches, wantsEvent } from '../board/filter.ts';
import { instantKeyOf, rfcInstant } from '../board/instant.ts';
import type { Ownership } from '../board/ownership.ts';
import type { Address } from '../state/address.ts';

/** The filters that the listing takes. */
export interface ListQuery {
  readonly service?: string;
  readonly environment?: string;
  readonly status?: Status;
  readonly deployment_id?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Which events of the log are wanted. */
export interface LogQuery {
  readonly listing: ListQuery;
  /** Whether an event is wanted, by the filters of the listing and of the browser. */
  readonly wants: (event: DeploymentEvent) => boolean;
  /** Pages bring events that are not wanted: the listing cannot filter by everything. */
  readonly isFilteredHere: boolean;
  /** Two conditions exclude each other: there is nothing to ask for. */
  readonly isImpossible: boolean;
  /** Queries of the same key are the same. */
  readonly key: string;
}

/** The names that the board knows: the listing is case-sensitive, a filter is not. */
export interface KnownNames {
  readonly services: Iterable<string>;
  readonly environments: Iterable<string>;
}

/** What the feed of an address asks for. */
export function logQueryOf(address: Address, known: KnownNames, ownership: Ownership): LogQuery {
  const { filter, status, actor, deployment } = address;
  const [since, until] = [rfcInstant(address.since), rfcInstant(address.until)];
  const service = exactName(filter.services, known.services);
  const environment = exactName(filter.environments, known.environments);
  const only = filter.only && filter.only !== 'behind' ? onlyStatus[filter.only] : undefined;
  const asked = status ?? only;
  const listing: ListQuery = {
    ...(service !== undefined && { service }),
    ...(environment !== undefined && { environment }),
    ...(asked !== undefined && { status: asked }),
    ...(deployment !== undefined && { deployment_id: deployment }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
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
      filter.teams.length > 0 ||
      filter.mine ||
      actor !== undefined ||
      (filter.services.length > 0 && service === undefined) ||
      (filter.environments.length > 0 && environment === undefined),
    isImpossible: Boolean(status && only && status !== only) || Boolean(from && before && from >= before),
    key: JSON.stringify([
      listing,
      filter,
      actor,
      filter.teams.length > 0 || filter.mine ? ownershipKey(ownership) : '',
    ]),
  };
}

/** What changes with the services of the teams, and with what the viewer has marked. */
function ownershipKey({ items, favourites }: Ownership): unknown {
  return [[...items.values()].map(({ service, team }) => [service, team]), favourites];
}

/** The history of one slot; as it was at an instant, if one is given. */
export function logQueryOfSlot(
  slot: { readonly service: string; readonly environment: string },
  asof?: string,
): LogQuery {
  const { service, environment } = slot;
  const last = asof === undefined ? undefined : instantKeyOf(asof);
  return {
    // What happened at the very instant is part of the past board, and the listing ends before `until`.
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

/** The end of the millisecond that an instant is in. */
function momentAfter(instant: string): string {
  return new Date(Math.floor(Date.parse(instant)) + 1).toISOString();
}

const onlyStatus = { failed: 'failure', running: 'in-progress' } as const;

/** The one name that the globs mean, as the log spells it; `undefined` if they mean none or several. */
function exactName(globs: readonly string[], known: Iterable<string>): string | undefined {
  const [glob] = globs;
  if (glob === undefined || globs.length > 1 || /[*?]/.test(glob)) return undefined;
  const meant = [...known].filter((name) => globMatches(glob, name));
  return meant.length > 1 ? undefined : (meant[0] ?? glob);
}
