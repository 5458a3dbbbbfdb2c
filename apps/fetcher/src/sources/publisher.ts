import type { Clock, LogPoster, Proposal, Settled } from '@shiplog/client';
import { type DeploymentEventIngest, limits } from '@shiplog/contract';
import type { Source } from '../adapter.ts';
import type { Change } from '../change.ts';
import { eventsOf, type Mapping } from '../domain/mapping.ts';

/** The result of a change or of one of its events (fetcher §13.4). */
export type Result = 'posted' | 'known' | 'dropped' | 'unmapped' | 'unknown_status';

export function resultOf(settled: Settled): Result {
  return settled === 'refused' ? 'dropped' : settled;
}

export interface PublisherOptions {
  readonly source: Pick<Source, 'artifact'>;
  readonly mapping: Mapping;
  readonly idPrefix: string;
  /** The `X-Progress-Reporter` header of its posts. */
  readonly reporter: string;
  readonly poster: Pick<LogPoster, 'settle'>;
  readonly clock: Pick<Clock, 'now'>;
  onResult(result: Result): void;
  /** Called for an event dated five or more minutes in the future. */
  onFutureEvent(event: DeploymentEventIngest, minutes: number): void;
}

export class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Resolves when all changes are settled. @throws what `LogPoster.settle` and the source's `artifact` throw. */
  async publish(changes: readonly Change[], signal: AbortSignal): Promise<void> {
    const { poster, reporter, onResult } = this.#options;
    const proposals: Proposal[] = [];
    for (const change of changes) proposals.push(...(await this.#proposalsOf(change, signal)));
    for (const settled of await poster.settle(proposals, reporter, signal)) {
      onResult(resultOf(settled));
    }
  }

  async #proposalsOf(change: Change, signal: AbortSignal): Promise<Proposal[]> {
    const { mapping, idPrefix, source, onResult } = this.#options;
    const artifacts = new Map<string, string>();
    await readArtifacts({ mapping, source }, change, artifacts, signal);
    const mapped = mapping.map(change, artifacts);
    if (mapped.kind !== 'events') {
      onResult(mapped.kind);
      return [];
    }
    const { order, identity } = change;
    const events = eventsOf(change, mapped.events, idPrefix);
    for (const event of events) this.#warnOfFuture(event);
    return events.map((event) => ({ event, order, identity }));
  }

  #warnOfFuture(event: DeploymentEventIngest): void {
    const { clock, onFutureEvent } = this.#options;
    const minutes = Math.floor((Date.parse(event.happened_at) - clock.now().getTime()) / 60_000);
    if (minutes >= limits.aheadWarningMinutes) onFutureEvent(event, minutes);
  }
}

/** Reads the artifacts that a mapping may need. @throws what the source throws. */
export async function readArtifacts(
  { mapping, source }: { readonly mapping: Mapping; readonly source: Pick<Source, 'artifact'> },
  change: Change,
  artifacts: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of mapping.artifactsOf(change)) {
    artifacts.set(name, (await source.artifact?.(change, name, signal)) ?? '');
  }
}
