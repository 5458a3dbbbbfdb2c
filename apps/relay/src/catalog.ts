import type { Clock } from '@shiplog/client';

export interface CatalogOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const freshMs = 30_000;
const timeoutMs = 10_000;

/** Whose services are, as the service's catalog tells; a service that has no catalog knows nobody's. */
export class Catalog {
  readonly #options: CatalogOptions;
  #teams: Promise<ReadonlyMap<string, string>> | undefined;
  #askedMs = 0;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Empty where nobody is told. @throws where the service is away. */
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
    const { baseUrl, signal } = this.#options;
    const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(`${baseUrl}/api/catalog`, { redirect: 'manual', signal: timed });
    const text = await answer.text();
    if (answer.status === 404) return new Map();
    if (!answer.ok) throw new Error(`the catalog was answered ${answer.status}`);
    const { items = [] } = JSON.parse(text) as { items?: { service?: unknown; team?: unknown }[] };
    return new Map(
      items.flatMap(({ service, team }) =>
        typeof service === 'string' && typeof team === 'string' ? [[service, team] as const] : [],
      ),
    );
  }
}
