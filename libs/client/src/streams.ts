import { type DeploymentEvent, streams } from '@shiplog/contract';
import { type FollowOptions, follow } from '@shiplog/streams';

export interface FollowDeploymentsOptions extends Omit<FollowOptions, 'url'> {
  readonly baseUrl: string;
  /** Only events of this service. */
  readonly service?: string;
}

/**
 * The deployment events as they are stored, for as long as the signal allows. It reconnects by itself and goes on after
 * the last event that it gave out; an event comes at most once per call.
 */
export async function* followDeployments(
  options: FollowDeploymentsOptions,
): AsyncGenerator<DeploymentEvent, void, undefined> {
  const { baseUrl, service, ...followed } = options;
  const search = service === undefined ? '' : `?${new URLSearchParams({ service })}`;
  for await (const frame of follow({
    ...followed,
    url: `${baseUrl.replace(/\/$/, '')}${streams.deployments.path}${search}`,
  })) {
    if (frame.event === streams.deployments.frameName) yield JSON.parse(frame.data);
  }
}
