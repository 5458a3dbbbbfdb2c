import { byCodePoint, DeploymentEventIngest, limits } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import type { Change } from '../change.ts';
import { cut, cutName, storable } from './event-text.ts';
import type { MappedEvent } from './mapping.ts';
import { variableOf } from './variables.ts';

export interface EventOptions {
  /** Stands before all deployment ids of the source (fetcher §15.1). */
  readonly idPrefix: string;
}

/** The events that a change becomes, within the limits of ingest (fetcher §5.6). */
export function eventsOf(
  change: Change,
  mapped: readonly MappedEvent[],
  { idPrefix }: EventOptions,
): DeploymentEventIngest[] {
  return mapped.map(({ service, environment, version, isOneOfSeveral }) => {
    const idOf = (id: string) =>
      cutName(storable(`${idPrefix}${id}${isOneOfSeveral ? `:${service}` : ''}`), limits.deploymentId);
    const parents = [...new Set(change.parents.map(idOf))].sort(byCodePoint).slice(0, limits.parentDeployments);
    return {
      deployment_id: idOf(change.id),
      service: cutName(storable(service), limits.service),
      environment: cutName(storable(environment), limits.environment),
      status: change.status,
      happened_at: change.at,
      ...optional('version', cut(storable(version), limits.version)),
      ...optional('run_url', runUrlOf(change)),
      ...optional('run_number', variableText(change, 'run_number', limits.runNumber)),
      ...optional('actor', variableText(change, 'actor', limits.actor)),
      ...optional('ref', variableText(change, 'ref', limits.ref)),
      ...optional('sha', variableText(change, 'sha', limits.sha)),
      ...(parents.length > 0 && { parent_deployments: parents }),
    };
  });
}

const runUrlErrors = compileValidator(DeploymentEventIngest.properties.run_url);

/** Empty where ingest would not take it. */
function runUrlOf(change: Change): string {
  const url = storable(variableOf(change, 'run_url'));
  return runUrlErrors(url).length === 0 ? url : '';
}

function variableText(change: Change, name: string, charactersMax: number): string {
  return cut(storable(variableOf(change, name)), charactersMax);
}

function optional<Name extends string>(name: Name, text: string): { readonly [Key in Name]?: string } {
  return text === '' ? {} : ({ [name]: text } as { readonly [Key in Name]: string });
}
