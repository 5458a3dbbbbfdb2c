import type { Client } from '@shiplog/client';
import { type DeploymentEvent, limits, type MatrixRow } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import { failureText } from '../ui/answer.ts';
import {
  concerns,
  type History,
  historyOf,
  lacks,
  parentsToAsk,
  renewed,
  withAsked,
  withEvents,
  withPage,
} from './history.ts';

export interface Reading {
  readonly history: History | undefined;
  readonly isAsking: boolean;
  /** Why the last request failed; `undefined` = it succeeded. */
  readonly fault: string | undefined;
}

/**
 * Reads the history of one service: the newest page, older pages on demand, live events and parents. Requests pages one
 * at a time; live events that arrive meanwhile are added to the response.
 */
export class HistoryReader {
  readonly reading = new Store<Reading>({ history: undefined, isAsking: false, fault: undefined });
  readonly #client: Pick<Client, 'listDeployments'>;
  readonly #service: string;
  readonly #over = new AbortController();
  #came: DeploymentEvent[] = [];
  /** The board's row at its last change during a request. */
  #seen: { readonly row: MatrixRow | undefined } | undefined;

  constructor(client: Pick<Client, 'listDeployments'>, service: string) {
    this.#client = client;
    this.#service = service;
  }

  /** Requests the newest page. Also retries after a failure. */
  start(): Promise<void> {
    return this.#ask(undefined, (page, history) => (history ? renewed(history, page) : historyOf(this.#service, page)));
  }

  /** Requests the next older page, if there is one. */
  async older(): Promise<void> {
    const cursor = this.reading.value.history?.cursor;
    if (cursor) await this.#ask(cursor, (page, history) => (history ? withPage(history, page) : history));
  }

  stop(): void {
    this.#over.abort();
  }

  take(events: readonly DeploymentEvent[]): void {
    const { history, isAsking } = this.reading.value;
    if (isAsking) this.#came.push(...events);
    const own = history ? events.filter((event) => concerns(history, event)) : [];
    if (history && own.length > 0) this.#keep(withEvents(history, own));
  }

  /** Call this when the board's row of the service has changed. */
  compare(row: MatrixRow | undefined): void {
    const { history, isAsking } = this.reading.value;
    if (isAsking) this.#seen = { row };
    else if (history && lacks(history, row)) void this.start();
  }

  async #ask(
    cursor: string | undefined,
    become: (page: Page, history: History | undefined) => History | undefined,
  ): Promise<void> {
    if (this.reading.value.isAsking) return;
    this.#came = [];
    this.#say({ isAsking: true, fault: undefined });
    try {
      const query = { service: this.#service, limit: limits.pageSizeMax, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await this.#client.listDeployments({ query, signal: this.#over.signal });
      const history = become(body, this.reading.value.history);
      const came = history ? this.#came.filter((event) => concerns(history, event)) : [];
      this.#say({ isAsking: false });
      if (history) this.#keep(withEvents(history, came));
    } catch (error) {
      this.#say({ isAsking: false, fault: failureText(error) });
    }
    const { history, fault } = this.reading.value;
    const seen = this.#seen;
    this.#seen = undefined;
    if (seen && history && !fault && lacks(history, seen.row)) await this.start();
  }

  #keep(history: History): void {
    const ids = parentsToAsk(history);
    this.#say({ history: withAsked(history, ids, 'looking') });
    for (const id of ids) void this.#askParent(id);
  }

  async #askParent(id: string): Promise<void> {
    const query = { deployment_id: id, limit: limits.pageSizeMax };
    const found = await this.#client.listDeployments({ query, signal: this.#over.signal }).then(
      ({ body }) => body.items,
      () => undefined,
    );
    const { history } = this.reading.value;
    // If the history was restarted meanwhile, the restarted history requests this parent.
    if (history?.asked.get(id) !== 'looking') return;
    this.#keep(withEvents(withAsked(history, [id], found ? 'missing' : 'failed'), found ?? []));
  }

  #say(change: Partial<Reading>): void {
    if (!this.#over.signal.aborted) this.reading.set({ ...this.reading.value, ...change });
  }
}

type Page = Awaited<ReturnType<Client['listDeployments']>>['body'];
