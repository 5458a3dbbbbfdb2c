import { statuses } from '@shiplog/contract';
import type { PageKey } from '../domain/page-cursor.ts';
import type { Queries } from './database.ts';
import { cursorInstant } from './log-mark.ts';

export interface DeploymentFilter {
  readonly service?: string | undefined;
  readonly environment?: string | undefined;
  readonly status?: string | undefined;
  readonly deploymentId?: string | undefined;
  /** Inclusive. RFC 3339 with at most six fraction digits. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
}

export interface DeploymentPage {
  /** The JSON of the events, newest first. */
  readonly events: readonly string[];
  /** `undefined` on the final page. */
  readonly next: PageKey | undefined;
  /** The greatest event id of the log in the same snapshot; `undefined` for an empty log. */
  readonly position: string | undefined;
}

/** The statement contains only the requested conditions, so that each can use an index. */
class Listing {
  readonly values: unknown[] = [];
  readonly #filter: DeploymentFilter;
  readonly #service: string;
  readonly #keyset: string;
  readonly #rowsMax: string;

  constructor(filter: DeploymentFilter, after: PageKey | undefined, rowsMax: number) {
    this.#filter = filter;
    this.#service = this.#and('service =', filter.service);
    const since = this.#and('happened_at >=', filter.since, '::timestamptz');
    const until = this.#and('happened_at <', filter.until, '::timestamptz');
    const before = after
      ? `and (happened_at, id) < (${this.#value(after.happenedAt)}::timestamptz, ${this.#value(after.id)}::uuid)`
      : '';
    this.#rowsMax = `${this.#value(rowsMax)}::int`;
    this.#keyset = `${since} ${until} ${before} order by happened_at desc, id desc limit ${this.#rowsMax}`;
  }

  get text(): string {
    return `
      select (select id from deployments order by id desc limit 1) as position, page.id,
        ${cursorInstant('page.happened_at')} as happened_at, page.event
      from (select 1) always
      left join (${this.#page()}) page on true
      order by page.happened_at desc, page.id desc`;
  }

  /**
   * With a filter, first find the keys by index. Otherwise the planner would expect few rows, and fetch and sort all of
   * them.
   */
  #page(): string {
    const { service, environment, status, deploymentId } = this.#filter;
    const isFiltered = [service, environment, status, deploymentId].some((value) => value !== undefined);
    if (!isFiltered) return `select happened_at, id, event from deployments where true ${this.#keyset}`;
    return `select newest.happened_at, newest.id, (select event from deployments where id = newest.id) as event
      from (${this.#keys()}) newest`;
  }

  /**
   * A filter on environment and status needs one index range, and a deployment has few rows. Any other filter needs one
   * range per environment and status. Each range returns its newest keys, and the newest of those form the page. So the
   * cost of a page does not depend on how rare the matches are or how deep the page is.
   */
  #keys(): string {
    const { environment, status, deploymentId } = this.#filter;
    if (deploymentId !== undefined || (environment !== undefined && status !== undefined)) {
      return `select happened_at, id from deployments
        where true ${this.#and('deployment_id =', deploymentId)} ${this.#service} ${this.#narrowed()} ${this.#keyset}`;
    }
    return `select newest.happened_at, newest.id
      from (${this.#ranges()}) range
      cross join lateral (
        select happened_at, id from deployments
        where environment = range.environment and status = range.status ${this.#service} ${this.#keyset}
      ) newest
      order by newest.happened_at desc, newest.id desc limit ${this.#rowsMax}`;
  }

  /** The environments and statuses that a filter selects. */
  #ranges(): string {
    const { service, environment, status } = this.#filter;
    if (service !== undefined) {
      return `select distinct environment, status from latest_deployments where true ${this.#service} ${this.#narrowed()}`;
    }
    if (environment !== undefined) {
      return `select ${this.#value(environment)} as environment, status from unnest(${this.#value(statuses)}::text[]) status`;
    }
    const requested = this.#value(status);
    return `with recursive named as (
        select min(environment) as environment from latest_deployments where status = ${requested}
        union all
        select (select min(environment) from latest_deployments where status = ${requested} and environment > named.environment)
        from named where environment is not null
      )
      select environment, ${requested} as status from named where environment is not null`;
  }

  #narrowed(): string {
    const { environment, status } = this.#filter;
    return `${this.#and('environment =', environment)} ${this.#and('status =', status)}`;
  }

  #and(comparison: string, value: string | undefined, cast = ''): string {
    return value === undefined ? '' : `and ${comparison} ${this.#value(value)}${cast}`;
  }

  #value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

interface Row {
  readonly position: string | null;
  readonly id: string | null;
  readonly happened_at: string;
  readonly event: string;
}

/** Sorted by `happened_at`, then `id`, both descending (§4 Read). */
export async function listDeployments(
  queries: Queries,
  filter: DeploymentFilter,
  page: { readonly after: PageKey | undefined; readonly size: number },
): Promise<DeploymentPage> {
  // One extra row shows whether there is a next page. The statement is unnamed, so that it is planned for its values.
  const listing = new Listing(filter, page.after, page.size + 1);
  const rows = await queries.query<Row>({ text: listing.text, values: listing.values });
  const stored = rows.filter((row): row is Row & { id: string } => row.id !== null);
  const last = stored.length > page.size ? stored[page.size - 1] : undefined;
  return {
    events: stored.slice(0, page.size).map((row) => row.event),
    next: last && { happenedAt: last.happened_at, id: last.id },
    position: rows[0]?.position ?? undefined,
  };
}

/** The JSON of one event. */
export async function getDeployment(queries: Queries, id: string): Promise<string | undefined> {
  const [row] = await queries.query<{ event: string }>({
    name: 'get-deployment',
    text: 'select event from deployments where id = $1',
    values: [id],
  });
  return row?.event;
}

/** The JSON of the latest event of each status in a slot, newest first. */
export async function latestEventsOf(
  queries: Queries,
  { service, environment }: { readonly service: string; readonly environment: string },
): Promise<string[]> {
  const rows = await queries.query<{ event: string }>({
    name: 'latest-events-of-slot',
    text: `select deployments.event from latest_deployments latest join deployments using (id)
      where latest.service = $1 and latest.environment = $2
      order by latest.happened_at desc, latest.id desc`,
    values: [service, environment],
  });
  return rows.map(({ event }) => event);
}
