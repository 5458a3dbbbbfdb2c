import { parseInstant } from './instant.ts';
import type { DeploymentEventIngest } from './shapes/deployment.ts';

/** An event to be stored: the fields for filters, and its JSON without the `id`, which the log assigns. */
export interface StoredEvent {
  readonly deploymentId: string;
  readonly service: string;
  readonly environment: string;
  readonly status: string;
  /** RFC 3339 in UTC with the fraction digits as sent, at most six. */
  readonly happenedAt: string;
  readonly parents: readonly string[] | undefined;
  /**
   * The release: `v` and the version, or `s` and the sha if there is no version; `undefined` without both (questions.md
   * 12.1).
   */
  readonly release: string | undefined;
  readonly reporter: string | undefined;
  /** The members of the event's JSON after `id`, with the closing brace. */
  readonly jsonRest: string;
}

/**
 * Converts a validated post to an event. `happened_at` is in UTC (reading 3.3); fields that were not sent are absent
 * (reading 3.2).
 */
export function storedEvent(event: DeploymentEventIngest, progressReporter: string | undefined): StoredEvent {
  const happenedAt = parseInstant(event.happened_at);
  if (!happenedAt) throw new Error(`happened_at was not validated: ${event.happened_at}`);
  const json = JSON.stringify({
    deployment_id: event.deployment_id,
    service: event.service,
    environment: event.environment,
    version: event.version,
    status: event.status,
    happened_at: happenedAt,
    run_url: event.run_url,
    run_number: event.run_number,
    actor: event.actor,
    ref: event.ref,
    sha: event.sha,
    parent_deployments: event.parent_deployments,
    progress_reporter: progressReporter,
  });
  return {
    deploymentId: event.deployment_id,
    service: event.service,
    environment: event.environment,
    status: event.status,
    happenedAt,
    parents: event.parent_deployments,
    release: releaseOf(event),
    reporter: progressReporter,
    jsonRest: json.slice(1),
  };
}

function releaseOf({ version, sha }: DeploymentEventIngest): string | undefined {
  if (version) return `v${version}`;
  return sha ? `s${sha}` : undefined;
}

/** The complete JSON of an event. The service's append statement builds the same text in SQL. */
export function eventJson(id: string, jsonRest: string): string {
  return `{"id":"${id}",${jsonRest}`;
}
