import type { LogPoster } from '@shiplog/client';
import { fetcherLimits } from '@shiplog/companions';
import { foldedText } from '@shiplog/component';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { eventsOf } from '../domain/mapping.ts';
import { type Result, resultOf } from '../sources/publisher.ts';

export interface HookPosting {
  readonly environments: ReadonlyMap<string, string>;
  readonly poster: Pick<LogPoster, 'settle' | 'allow'>;
  onResult(hook: string, result: Result): void;
}

/** Posts the events of a webhook without a source. @throws what `LogPoster.settle` throws. */
export async function postHookEvents(
  hook: string,
  events: readonly DeploymentEventIngest[],
  { environments, poster, onResult }: HookPosting,
  signal: AbortSignal,
): Promise<void> {
  const proposals = events
    .flatMap((event) => fitted(event, environments.get(foldedText(event.environment)) ?? event.environment))
    .map((event, order) => ({ event, order, identity: 'instant' as const }));
  // No cycle exists that could retry the key.
  poster.allow();
  for (const settled of await poster.settle(proposals, `${fetcherLimits.componentId}/${hook}`, signal)) {
    onResult(hook, resultOf(settled));
  }
}

function fitted(event: DeploymentEventIngest, environment: string): DeploymentEventIngest[] {
  const { deployment_id: id, service, status, happened_at: at, version = '' } = event;
  const { actor = '', ref = '', sha = '', run_url = '', run_number = '' } = event;
  const vars = { actor, ref, sha, run_url, run_number };
  const change = { id, order: 0, status, at, identity: 'instant', parents: [], vars } as const;
  return eventsOf(change, [{ service, environment, version, isOneOfSeveral: false }], '');
}
