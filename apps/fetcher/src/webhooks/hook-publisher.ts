import type { LogPoster } from '@shiplog/client';
import { fetcherLimits } from '@shiplog/companions';
import { foldedText } from '@shiplog/component';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { eventsOf } from '../domain/mapping.ts';
import { type Result, resultOf } from '../sources/publisher.ts';

export interface HookPublisherOptions {
  readonly environments: ReadonlyMap<string, string>;
  readonly poster: Pick<LogPoster, 'settle' | 'allow'>;
  onResult(hook: string, result: Result): void;
}

/** Posts the events of webhooks without a source: renames environments and cuts texts to the limits of ingest. */
export class HookPublisher {
  readonly #options: HookPublisherOptions;

  constructor(options: HookPublisherOptions) {
    this.#options = options;
  }

  /** Resolves when all events are settled. @throws what `LogPoster.settle` throws. */
  async publish(hook: string, events: readonly DeploymentEventIngest[], signal: AbortSignal): Promise<void> {
    const { poster, onResult } = this.#options;
    const proposals = events
      .flatMap((event) => this.#fitting(event))
      .map((event, order) => ({ event, order, identity: 'instant' as const }));
    // No cycle might retry the key.
    poster.allow();
    for (const settled of await poster.settle(proposals, `${fetcherLimits.componentId}/${hook}`, signal)) {
      onResult(hook, resultOf(settled));
    }
  }

  #fitting(event: DeploymentEventIngest): DeploymentEventIngest[] {
    const { deployment_id, service, status, happened_at, version, actor, ref, sha, run_url, run_number } = event;
    const environment = this.#options.environments.get(foldedText(event.environment)) ?? event.environment;
    const texts = Object.entries({ actor, ref, sha, run_url, run_number }).map(([name, text]) => [name, text ?? '']);
    const vars: Readonly<Record<string, string>> = Object.fromEntries(texts);
    const change = {
      id: deployment_id,
      order: 0,
      status,
      at: happened_at,
      identity: 'instant',
      parents: [],
      vars,
    } as const;
    return eventsOf(change, [{ service, environment, version: version ?? '', isOneOfSeveral: false }], {
      idPrefix: '',
    });
  }
}
