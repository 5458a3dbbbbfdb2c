import { type ControlStreamEvent, type DeploymentEvent, keyHeaders, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow } from '@shiplog/streams/follow';
import { searchOf } from './client.ts';

export interface FollowDeploymentsOptions extends Omit<FollowOptions, 'url'> {
  readonly baseUrl: string;
  /** Only events of this service. */
  readonly service?: string;
}

export interface FollowControlOptions extends Omit<FollowOptions, 'url' | 'headers'> {
  readonly baseUrl: string;
  /** The key of the control surface, which is not the one that reports are sent with. */
  readonly controlKey: string;
  /** The component's own id: it gets what is for it and what is for all. */
  readonly component: string;
}

export interface FollowComponentsOptions extends Omit<FollowOptions, 'url' | 'headers'> {
  readonly baseUrl: string;
}

/**
 * The deployment events as they are stored, for as long as the signal allows. It reconnects by itself and goes on after
 * the last event that it gave out; an event comes at most once per call.
 */
export async function* followDeployments(
  options: FollowDeploymentsOptions,
): AsyncGenerator<DeploymentEvent, void, undefined> {
  const { baseUrl, service, ...followed } = options;
  const url = streamUrl(baseUrl, streams.deployments.path, { service });
  for await (const frame of follow({ ...followed, url })) {
    if (frame.event === streams.deployments.frameName) yield JSON.parse(frame.data);
  }
}

/**
 * What components are told, for as long as the signal allows, with the same resume, backoff and watch over silence. On
 * its first connection it gets the frames of a reset that is in flight. Types that a component does not know are to be
 * ignored (§6), and a frame that cannot be read is left out.
 */
export async function* followControl(
  options: FollowControlOptions,
): AsyncGenerator<ControlStreamEvent, void, undefined> {
  for await (const frame of controlFrames(options)) {
    const event = readControlFrame(frame);
    if (event) yield event;
  }
}

/** The same frames as they come, also those that cannot be read: for whoever passes them on. */
export function controlFrames(options: FollowControlOptions): AsyncGenerator<Frame, void, undefined> {
  const { baseUrl, controlKey, component, ...followed } = options;
  const url = streamUrl(baseUrl, streams.control.path, { component });
  return follow({ ...followed, url, headers: { [keyHeaders.control]: controlKey } });
}

/** What a frame of the control stream says, `undefined` where it cannot be read. */
export function readControlFrame({ data }: Frame): ControlStreamEvent | undefined {
  try {
    const event = JSON.parse(data);
    return typeof event?.type === 'string' && typeof event.id === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The frames of what components report, as they come, with the same resume, backoff and watch over silence. */
export function componentFrames(options: FollowComponentsOptions): AsyncGenerator<Frame, void, undefined> {
  const { baseUrl, ...followed } = options;
  return follow({ ...followed, url: streamUrl(baseUrl, streams.components.path, {}) });
}

function streamUrl(baseUrl: string, path: string, query: Readonly<Record<string, string | undefined>>): string {
  return `${baseUrl.replace(/\/$/, '')}${path}${searchOf(query)}`;
}
