import { type ControlStreamEvent, type DeploymentEvent, keyHeaders, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow } from '@shiplog/streams/follow';
import { searchOf } from './client.ts';

interface ReadingOptions {
  /** Told of each frame that cannot be read, which is left out. */
  readonly onUnreadable?: (frame: Frame) => void;
}

export interface FollowDeploymentsOptions extends Omit<FollowOptions, 'url'>, ReadingOptions {
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
  const { baseUrl, service, onUnreadable, ...followed } = options;
  const url = streamUrl(baseUrl, streams.deployments.path, { service });
  for await (const frame of follow({ ...followed, url })) {
    if (frame.event !== streams.deployments.frameName) continue;
    const event = readFrame<DeploymentEvent>(frame, ({ id }) => typeof id === 'string');
    if (event) yield event;
    else onUnreadable?.(frame);
  }
}

/**
 * What components are told, for as long as the signal allows, with the same resume, backoff and watch over silence. On
 * its first connection it gets the frames of a reset that is in flight. Types that a component does not know are to be
 * ignored (§6).
 */
export async function* followControl(
  options: FollowControlOptions & ReadingOptions,
): AsyncGenerator<ControlStreamEvent, void, undefined> {
  const { onUnreadable, ...followed } = options;
  for await (const frame of controlFrames(followed)) {
    const event = readControlFrame(frame);
    if (event) yield event;
    else onUnreadable?.(frame);
  }
}

/** The same frames as they come, also those that cannot be read: for whoever passes them on. */
export function controlFrames(options: FollowControlOptions): AsyncGenerator<Frame, void, undefined> {
  const { baseUrl, controlKey, component, ...followed } = options;
  const url = streamUrl(baseUrl, streams.control.path, { component });
  return follow({ ...followed, url, headers: { [keyHeaders.control]: controlKey } });
}

/** What a frame of the control stream says, `undefined` where it cannot be read. */
export function readControlFrame(frame: Frame): ControlStreamEvent | undefined {
  return readFrame<ControlStreamEvent>(frame, ({ id, type }) => typeof id === 'string' && typeof type === 'string');
}

/** One fault in a stream must not end it: who reads it could only come back to the same frame. */
function readFrame<Event extends object>({ data }: Frame, isOne: (fields: Event) => boolean): Event | undefined {
  try {
    const event = JSON.parse(data);
    return event && isOne(event) ? event : undefined;
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
