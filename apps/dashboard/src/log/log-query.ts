import { type DeploymentEvent, instantKey, parseInstant, type Status } from '@shiplog/contract';
import { globMatches, wantsEvent } from '../board/filter.ts';
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
export function logQueryOf(address: Address, known: KnownNames): LogQuery {
  const { filter, status, actor, deployment } = address;
  const [since, until] = [rfcInstant(address.since), rfcInstant(address.until)];
  const service = exactName(filter.services, known.services);
  const environment = exactName(filter.environments, known.environments);
  const only = filter.only && onlyStatus[filter.only];
  const asked = status ?? only;
  const listing: ListQuery = {
    ...(service !== undefined && { service }),
    ...(environment !== undefined && { environment }),
    ...(asked !== undefined && { status: asked }),
    ...(deployment !== undefined && { deployment_id: deployment }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const [from, before] = [since && keyOf(since), until && keyOf(until)];
  return {
    listing,
    wants: (event) =>
      wantsEvent(filter, event) &&
      (status === undefined || event.status === status) &&
      (actor === undefined || event.actor === actor) &&
      (deployment === undefined || event.deployment_id === deployment) &&
      (!from || instantKey(event.happened_at) >= from) &&
      (!before || instantKey(event.happened_at) < before),
    isFilteredHere:
      filter.text !== undefined ||
      actor !== undefined ||
      (filter.services.length > 0 && service === undefined) ||
      (filter.environments.length > 0 && environment === undefined),
    isImpossible: Boolean(status && only && status !== only) || Boolean(from && before && from >= before),
    key: JSON.stringify([listing, filter, actor]),
  };
}

/** The history of one slot. */
export function logQueryOfSlot(slot: { readonly service: string; readonly environment: string }): LogQuery {
  const { service, environment } = slot;
  return {
    listing: { service, environment },
    wants: (event) => event.service === service && event.environment === environment,
    isFilteredHere: false,
    isImpossible: false,
    key: JSON.stringify(slot),
  };
}

const onlyStatus = { failed: 'failure', running: 'in-progress' } as const;

/** The one name that the globs mean, as the log spells it; `undefined` if they mean none or several. */
function exactName(globs: readonly string[], known: Iterable<string>): string | undefined {
  const [glob] = globs;
  if (glob === undefined || globs.length > 1 || /[*?]/.test(glob)) return undefined;
  const meant = [...known].filter((name) => globMatches(glob, name));
  return meant.length > 1 ? undefined : (meant[0] ?? glob);
}

/** An instant as the listing takes it; an address may say a day alone. */
function rfcInstant(text: string | undefined): string | undefined {
  if (text === undefined || parseInstant(text)) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function keyOf(instant: string): string {
  return instantKey(parseInstant(instant) ?? instant);
}
