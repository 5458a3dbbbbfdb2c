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

/** How a stream is followed, whichever it is. */
export interface FollowStreamOptions extends Omit<FollowOptions, 'url' | 'headers'> {
  readonly baseUrl: string;
  /** Told of each frame as it came, before it is read: for whoever passes it on. */
  readonly onFrame?: (frame: Frame) => void;
  /** Told of each frame that cannot be read, which is left out. */
  readonly onUnreadable?: (frame: Frame) => void;
}

export interface FollowDeploymentsOptions extends FollowStreamOptions {
  /** Only events of this service. */
  readonly service?: string;
}

export interface FollowControlOptions extends FollowStreamOptions {
  /** The key of control calls, which is not the one that reports are sent with. */
  readonly controlKey: string;
  /** The component's own id: it gets what is for it and what is for all. */
  readonly component: string;
}

/**
 * The deployment events as they are stored, for as long as the signal allows. It reconnects by itself and goes on after
 * the last event that it gave out; an event comes at most once per call.
 */
export function followDeployments({
  service,
  ...options
}: FollowDeploymentsOptions): AsyncGenerator<DeploymentEvent, void, undefined> {
  return events(streams.deployments, options, { query: { service } });
}

/**
 * What components are told, for as long as the signal allows, with the same resume, backoff and watch over silence. On
 * its first connection it gets the frames of a reset that is in flight. Types that a component does not know are to be
 * ignored (§6).
 */
export function followControl({
  controlKey,
  component,
  ...options
}: FollowControlOptions): AsyncGenerator<ControlStreamEvent, void, undefined> {
  const headers = { [keyHeaders.control]: controlKey };
  return events(streams.control, options, { query: { component }, headers });
}

/** What components report, with the same resume, backoff and watch over silence. */
export function followComponents(options: FollowStreamOptions): AsyncGenerator<ComponentEventRecord, void, undefined> {
  return events(streams.components, options, {});
}

interface StreamCall {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One unreadable frame must not end a stream: the reader could only come back to the same frame. */
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

/** What a frame says, `undefined` where it is no JSON or lacks a text that each event has. */
function eventOf({ data }: Frame, texts: readonly string[]): object | undefined {
  try {
    const event = JSON.parse(data);
    return event && texts.every((name) => typeof event[name] === 'string') ? event : undefined;
  } catch {
    return undefined;
  }
}
