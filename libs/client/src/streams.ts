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

export interface FollowStreamOptions extends Omit<FollowOptions, 'url' | 'headers'> {
  readonly baseUrl: string;
  /** The API key, for a service that does not let everyone read. The control stream needs only its own key. */
  readonly apiKey?: string | undefined;
  /** Called with each raw frame before it is parsed, for programs that forward frames. */
  readonly onFrame?: (frame: Frame) => void;
  /** Called with each unreadable frame. Such frames are skipped. */
  readonly onUnreadable?: (frame: Frame) => void;
}

export interface FollowDeploymentsOptions extends FollowStreamOptions {
  readonly service?: string;
}

export interface FollowControlOptions extends FollowStreamOptions {
  /** The control key, not the API key of reports. */
  readonly controlKey: string;
  /** The component id. The stream contains the frames for this component and those for all components. */
  readonly component: string;
}

/**
 * Yields deployment events as they are stored, until the signal is aborted. It reconnects automatically and continues
 * after the last event that it yielded. One call never yields an event twice.
 */
export function followDeployments({
  service,
  ...options
}: FollowDeploymentsOptions): AsyncGenerator<DeploymentEvent, void, undefined> {
  return events(streams.deployments, options, { query: { service } });
}

/**
 * Yields the frames of the control stream until the signal is aborted, and reconnects automatically. The first
 * connection starts with the frames of a running reset. Components must ignore unknown types (§6).
 */
export function followControl({
  controlKey,
  component,
  ...options
}: FollowControlOptions): AsyncGenerator<ControlStreamEvent, void, undefined> {
  const headers = { [keyHeaders.control]: controlKey };
  return events(streams.control, options, { query: { component }, headers });
}

/** Yields the reports of components until the signal is aborted, and reconnects automatically. */
export function followComponents(options: FollowStreamOptions): AsyncGenerator<ComponentEventRecord, void, undefined> {
  return events(streams.components, options, {});
}

interface StreamCall {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An unreadable frame must not end the stream, because the same frame would arrive again after a reconnect. */
async function* events<Event extends object>(
  { path, frameName }: Stream,
  { baseUrl, apiKey, onFrame, onUnreadable, ...followed }: FollowStreamOptions,
  { query = {}, headers = apiKey === undefined ? {} : { [keyHeaders.api]: apiKey } }: StreamCall,
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

function eventOf({ data }: Frame, texts: readonly string[]): object | undefined {
  try {
    const event = JSON.parse(data);
    return event && texts.every((name) => typeof event[name] === 'string') ? event : undefined;
  } catch {
    return undefined;
  }
}
