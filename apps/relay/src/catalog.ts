import { answeredStatus, type Clock, createClient } from '@shiplog/client';

export interface CatalogOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const freshMs = 30_000;

/** The owners of services, from the service's catalog. Empty if the service's version has no catalog. */
export class Catalog {
  readonly #options: CatalogOptions;
  #teams: Promise<ReadonlyMap<string, string>> | undefined;
  #askedMs = 0;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Empty without an owner. @throws if the service is unreachable. */
  async teamOf(service: string): Promise<string> {
    const nowMs = this.#options.clock.now().getTime();
    if (!this.#teams || nowMs - this.#askedMs >= freshMs) {
      this.#askedMs = nowMs;
      this.#teams = this.#ask();
    }
    const asked = this.#teams;
    try {
      return (await asked).get(service) ?? '';
    } catch (error) {
      if (this.#teams === asked) this.#teams = undefined;
      throw error;
    }
  }

  async #ask(): Promise<ReadonlyMap<string, string>> {
    const { baseUrl, apiKey, signal } = this.#options;
    try {
      const { body } = await createClient({ baseUrl, keys: { api: apiKey } }).getCatalog({ signal });
      return new Map(body.items.flatMap(({ service, team }) => (team === null ? [] : [[service, team] as const])));
    } catch (error) {
      if (answeredStatus(error) === 404) return new Map();
      throw error;
    }
  }
}
