import { answeredStatus, type CallInput, type Client, pagesOf } from '@shiplog/client';
import {
  type BoardFacts,
  type Breach,
  type DeploymentEvent,
  type endpoints,
  type Hold,
  headerNames,
  limits,
  nilId,
  type Outage,
  parseId,
  type Status,
} from '@shiplog/contract';
import { hasRelease, isKnownIn, recoveryIn } from './domain/past.ts';

type Query = NonNullable<CallInput<(typeof endpoints)['listDeployments']>['query']>;

/** The latest possible time in the log. No call accepts a later time (reading 1.7). */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A stuck deployment: `since` is the time of its last event. */
interface StuckPlace {
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly status: Status;
  readonly since: string;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Instants in RFC 3339. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The relay's queries to the log. Each call rejects if the service is unreachable. */
export class LogReader {
  readonly #client: Client;
  readonly #signal: AbortSignal;

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async head(): Promise<string> {
    const { headers } = await this.#client.listDeployments({ query: { limit: 1 }, signal: this.#signal });
    return parseId(headers.get(headerNames.streamPosition) ?? '') ?? nilId;
  }

  async newest(limit: number): Promise<readonly DeploymentEvent[]> {
    return (await this.#client.listDeployments({ query: { limit }, signal: this.#signal })).body.items;
  }

  async isRecovery(event: DeploymentEvent): Promise<boolean> {
    for await (const rows of this.#before(event, {})) {
      const found = recoveryIn(rows, event);
      if (found !== undefined) return found;
    }
    return false;
  }

  /** Whether a success is the first one of its release in its slot (relay §9.7). */
  async isFirst(event: DeploymentEvent): Promise<boolean> {
    if (!hasRelease(event)) return false;
    for await (const rows of this.#before(event, { status: 'success' })) if (isKnownIn(rows, event)) return false;
    return true;
  }

  /** The stuck deployment of each slot (board-facts.md 3.3). */
  async stuck(): Promise<StuckPlace[]> {
    const { body } = await this.#client.getBoardFacts({ signal: this.#signal });
    return body.places.flatMap(({ service, environment, stuck }) =>
      stuck ? [{ service, environment, ...stuck }] : [],
    );
  }

  async stages(): Promise<BoardFacts['stages']> {
    return (await this.#client.getBoardFacts({ signal: this.#signal })).body.stages;
  }

  /** The outages that were open during a period. Empty for an earlier version of the service. */
  outages(period: Period): Promise<Outage[]> {
    return this.#all((query) => this.#client.listOutages({ query: { ...period, ...query }, signal: this.#signal }));
  }

  holds(period: Period): Promise<Hold[]> {
    return this.#all((query) => this.#client.listHolds({ query: { ...period, ...query }, signal: this.#signal }));
  }

  breaches(period: Period): Promise<Breach[]> {
    return this.#all((query) => this.#client.listBreaches({ query: { ...period, ...query }, signal: this.#signal }));
  }

  async services(): Promise<readonly string[]> {
    return (await this.#client.listServices({ signal: this.#signal })).body.items;
  }

  async environments(): Promise<readonly string[]> {
    return (await this.#client.listEnvironments({ signal: this.#signal })).body.items;
  }

  /** `undefined` if the event is no longer in the log. */
  async event(id: string): Promise<DeploymentEvent | undefined> {
    try {
      return (await this.#client.getDeployment({ params: { id }, signal: this.#signal })).body;
    } catch (error) {
      if (answeredStatus(error) === 404) return undefined;
      throw error;
    }
  }

  async #all<Item>(
    read: (
      page: PageQuery,
    ) => Promise<{ readonly body: { readonly items: readonly Item[]; readonly next_cursor: string | null } }>,
  ): Promise<Item[]> {
    const all: Item[] = [];
    try {
      const pages = pagesOf(
        async (cursor) => (await read({ limit: limits.pageSizeMax, ...(cursor && { cursor }) })).body,
      );
      for await (const { items } of pages) all.push(...items);
    } catch (error) {
      if (answeredStatus(error) !== 404) throw error;
    }
    return all;
  }

  async latestOf({ service, environment, deployment_id }: StuckPlace): Promise<DeploymentEvent | undefined> {
    const query = { service, environment, deployment_id, limit: 1 };
    return (await this.#client.listDeployments({ query, signal: this.#signal })).body.items[0];
  }

  /** The slot's rows from the event's time back, newest first. `until` is exclusive, and ids break ties. */
  #before(event: DeploymentEvent, more: Query): AsyncGenerator<readonly DeploymentEvent[]> {
    const { service, environment, happened_at } = event;
    const untilMs = Date.parse(happened_at) + 1;
    const until = untilMs <= lastInstantMs ? { until: new Date(untilMs).toISOString() } : {};
    return this.#pages({ service, environment, ...until, ...more });
  }

  async *#pages(query: Query): AsyncGenerator<readonly DeploymentEvent[]> {
    let cursor: string | undefined;
    do {
      const page = { ...query, limit: limits.pageSizeMax, ...(cursor !== undefined && { cursor }) };
      const { body } = await this.#client.listDeployments({ query: page, signal: this.#signal });
      yield body.items;
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}
