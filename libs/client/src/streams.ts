import {
  type ComponentEventRecord,
  type ControlStreamEvent,
  type DeploymentEvent,
  keyHeaders,
  type Stream,
  streams,
} from '@shiplog/contract';
import { type FollowOptions, type Frame, follow } from '@shiplog/streams/follow';
import { searchOf } from './client.ts';

/** Options of every stream. */
export interface FollowStreamOptions extends Omit<FollowOptions, 'url' | 'headers'> {
  readonly baseUrl: string;
  /** Called with each frame as it was sent, before it is read: for programs that pass frames on. */
  readonly onFrame?: (frame: Frame) => void;
  /** Called with each frame that cannot be read; such frames are skipped. */
  readonly onUnreadable?: (frame: Frame) => void;
}

export interface FollowDeploymentsOptions extends FollowStreamOptions {
  /** Only events of this service. */
  readonly service?: string;
}

export interface FollowControlOptions extends FollowStreamOptions {
  /** The key of control calls, not the key that reports are sent with. */
  readonly controlKey: string;
  /** The id of the component: it gets the frames for itself and those for all. */
  readonly component: string;
}

/**
 * Yields the deployment events as they are stored, until the signal is aborted. It reconnects by itself and continues
 * after the last event that it yielded. No event comes twice in one call.
 */
export function followDeployments({
  service,
  ...options
}: FollowDeploymentsOptions): AsyncGenerator<DeploymentEvent, void, undefined> {
  return events(streams.deployments, options, { query: { service } });
}

/**
 * Yields the frames of the control stream until the signal is aborted, with the same reconnects. The first connection
 * begins with the frames of a reset that is in flight. Components must ignore types that they do not know (§6).
 */
export function followControl({
  controlKey,
  component,
  ...options
}: FollowControlOptions): AsyncGenerator<ControlStreamEvent, void, undefined> {
  const headers = { [keyHeaders.control]: controlKey };
  return events(streams.control, options, { query: { component }, headers });
}

/** Yields the reports of components until the signal is aborted, with the same reconnects. */
export function followComponents(options: FollowStreamOptions): AsyncGenerator<ComponentEventRecord, void, undefined> {
  return events(streams.components, options, {});
}

interface StreamCall {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One unreadable frame must not end a stream: after a reconnect the same frame would come again. */
async function* events<Event extends object>(
  { path, frameName }: Stream,
  { baseUrl, onFrame, onUnreadable, ...followed }: FollowStreamOptions,
  { query = {}, headers = {} }: StreamCall,
): AsyncGenerator<Event, void, undefined> {
  const url = `${baseUrl.replace(/\/$/, '')}${path}${searchOf(query)}`;
  for await (const frame of follow({ ...followed, url, headers })) {
    onFrame?.(frame);
    if (frameName !== undefined && frame.event !== frameName) continue;
    const event = eventOf(frame, frameName === undefined ? ['id', 'type'] : ['id']);
    if (event) yield event as Event;
    else onUnreadable?.(frame);
  }
}

/** The event in a frame, `undefined` where it is not JSON or lacks a text that every event has. */
function eventOf({ data }: Frame, texts: readonly string[]): object | undefined {
  try {
    const event = JSON.parse(data);
    return event && texts.every((name) => typeof event[name] === 'string') ? event : undefined;
  } catch {
    return undefined;
  }
}
