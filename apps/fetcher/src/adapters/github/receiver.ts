import type { Delivery, Received } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { AuthFailed, PlaceRefused, SourceRests, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { changesTold, type GithubDelivery, readDelivery } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import type { Translator } from './translator.ts';

export interface ReceiverOptions {
  /** As variables of changes have it. */
  readonly kind: string;
  readonly http: ToolHttp;
  readonly translator: Pick<Translator, 'changesOf'>;
  readonly discovery: Pick<Discovery, 'covers' | 'isIdle'>;
  /** Whether there are credentials, so that runs and parents can be asked for. */
  readonly canAsk: boolean;
}

/** What deliveries of the webhook say (fetcher §11). */
export class Receiver {
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * `undefined` where it concerns no repository of the source.
   * @throws ShapeFault where it is not what its event promises
   */
  async receive({ headers, body }: Delivery, signal: AbortSignal): Promise<Received | undefined> {
    const delivery = readDelivery(headers, body);
    if (!delivery) return { changes: [], hints: [] };
    const { discovery } = this.#options;
    const { fullName } = delivery.repository;
    if (!discovery.covers(fullName)) return undefined;
    const changes = await this.#changesOf(delivery, signal);
    if (changes) return { changes, hints: [] };
    // Without polling the body is all that can be known.
    return discovery.isIdle
      ? { changes: changesTold(this.#options.kind, delivery), hints: [] }
      : { changes: [], hints: [fullName] };
  }

  /** `undefined` where polling has to find out, because a verdict is outstanding or the tool cannot be asked by now. */
  async #changesOf({ repository, told }: GithubDelivery, signal: AbortSignal): Promise<readonly Change[] | undefined> {
    const { http, translator, canAsk } = this.#options;
    if (!told || !canAsk || !http.hasTurn) return undefined;
    try {
      const { deployment, status } = told;
      const { changes, held } = await translator.changesOf(repository.fullName, deployment, [status], signal);
      return held ? undefined : changes;
    } catch (error) {
      if ([AuthFailed, PlaceRefused, SourceRests, ToolAway].some((kind) => error instanceof kind)) return undefined;
      throw error;
    }
  }
}
