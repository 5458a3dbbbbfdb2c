import type { Client } from '@shiplog/client';
import { type Finding, withoutHistory } from '@shiplog/contract';
import { slotKey } from '../board/board.ts';
import { Store } from '../state/store.ts';
import { retryAfterMs } from './request.ts';

/** By `slotKey`. */
export type FindingsBySlot = ReadonlyMap<string, readonly Finding[]>;

/** The minimum interval between requests: the quality report is expensive for the service. */
const leastMs = 5 * 60_000;
const pageFindings = 500;

/** The quality findings of each slot, loaded on demand and at most every five minutes. */
export class FindingsStore extends Store<FindingsBySlot> {
  readonly #client: Pick<Client, 'getQuality'>;
  #requestedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: { readonly client: Pick<Client, 'getQuality'>; onCleared(listener: () => void): unknown }) {
    super(new Map());
    this.#client = connection.client;
    connection.onCleared(() => {
      this.#requestedAt = Number.NEGATIVE_INFINITY;
      this.set(new Map());
    });
  }

  /**
   * Loads the findings unless they are recent. A failure keeps the old findings; a call after `Retry-After` retries.
   * @throws the error of the call
   */
  async want(nowMs = performance.now()): Promise<void> {
    if (nowMs - this.#requestedAt < leastMs) return;
    this.#requestedAt = nowMs;
    try {
      const { body } = await this.#client.getQuality({ query: { limit: pageFindings } });
      this.set(findingsBySlot(withoutHistory(body).findings));
    } catch (error) {
      const waitMs = retryAfterMs(error);
      if (waitMs !== undefined) this.#requestedAt = nowMs + waitMs - leastMs;
      throw error;
    }
  }
}

/** The findings of each slot, without lookalike names and silent reporters, which belong to no slot. */
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
