import type { Client } from '@shiplog/client';
import { type Finding, withoutHistory } from '@shiplog/contract';
import { slotKey } from '../board/slot.ts';
import { Store } from '../state/store.ts';
import { retryAfterMs } from './request.ts';

/** The findings of each slot that has any, by the slot's key. */
export type FindingsBySlot = ReadonlyMap<string, readonly Finding[]>;

/** Judging the whole log takes the service a while. */
const leastMs = 5 * 60_000;
const pageFindings = 500;

/** What is wrong with the rows of a slot, asked for when somebody wants to know, and at most every five minutes. */
export class FindingsStore extends Store<FindingsBySlot> {
  readonly #client: Pick<Client, 'getQuality'>;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: { readonly client: Pick<Client, 'getQuality'>; onCleared(listener: () => void): unknown }) {
    super(new Map());
    this.#client = connection.client;
    connection.onCleared(() => {
      this.#askedAt = Number.NEGATIVE_INFINITY;
      this.set(new Map());
    });
  }

  /**
   * Asks unless that was done lately. A failure changes nothing, nor does a service that knows no such call; one that has
   * too much to do may be asked again once it wants to be.
   * @throws what the call throws
   */
  async want(nowMs = performance.now()): Promise<void> {
    if (nowMs - this.#askedAt < leastMs) return;
    this.#askedAt = nowMs;
    try {
      const { body } = await this.#client.getQuality({ query: { limit: pageFindings } });
      this.set(findingsBySlot(withoutHistory(body).findings));
    } catch (error) {
      const waitMs = retryAfterMs(error);
      if (waitMs !== undefined) this.#askedAt = nowMs + waitMs - leastMs;
      throw error;
    }
  }
}

/** Those that are about one slot; names alike and silent emitters are about none. */
export function findingsBySlot(findings: readonly Finding[]): FindingsBySlot {
  const bySlot = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { service, environment } = finding;
    if (service === null || environment === null) continue;
    const key = slotKey(service, environment);
    bySlot.set(key, [...(bySlot.get(key) ?? []), finding]);
  }
  return bySlot;
}
