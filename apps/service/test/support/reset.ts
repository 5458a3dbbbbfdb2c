import { CallRefused } from '@shiplog/client';
import { type ControlFrameType, type ControlStreamEvent, headerNames, streams } from '@shiplog/contract';
import { clientOf, StreamReader, testKeys, until } from '@shiplog/testing';
import { expect } from 'vitest';

/** Requests a reset. Returns the status, and the reset's id if the request was accepted. */
export async function requestReset(url: string): Promise<{ status: number; id: string | undefined }> {
  try {
    const { status, body } = await clientOf(url).startReset();
    return { status, id: body.correlation_id };
  } catch (error) {
    if (error instanceof CallRefused) return { status: error.status, id: undefined };
    throw error;
  }
}

/** Requests a reset, which must return 202. Returns its id. */
export async function startReset(url: string): Promise<string> {
  return (await clientOf(url).startReset()).body.correlation_id;
}

export interface Ack {
  readonly component: string;
  readonly correlationId: string | undefined;
  readonly eventType?: string;
  readonly state?: 'running' | 'idle' | 'paused' | 'error';
}

/** Reports that a component has drained, or a similar event. The response must be 204. */
export async function sendAck(url: string, { component, correlationId, eventType, state }: Ack): Promise<void> {
  await clientOf(url).reportComponentEvent({
    headers: {
      [headerNames.componentId]: component,
      ...(correlationId !== undefined && { [headerNames.correlationId]: correlationId }),
    },
    body: { event_type: eventType ?? 'reset-ack', state: state ?? 'paused', occurred_at: '2026-05-04T09:12:02Z' },
  });
}

/** A connection to the control stream, new or resumed after an id. */
export function openControl(url: string, lastEventId?: string): Promise<StreamReader> {
  return StreamReader.open({
    url: `${url}${streams.control.path}`,
    headers: { 'x-control-api-key': testKeys.control, ...(lastEventId && { 'last-event-id': lastEventId }) },
  });
}

/** The events received so far. The id and type of each are checked against those of its frame. */
export function controlFrames({ frames }: StreamReader): ControlStreamEvent[] {
  return frames.map(({ id, event, data }) => {
    const said: ControlStreamEvent = JSON.parse(data);
    expect({ id: said.id, event: said.type }).toEqual({ id, event });
    return said;
  });
}

/** Resolves when this many frames of a type have arrived. */
export function untilFrame(reader: StreamReader, type: ControlFrameType, count = 1): Promise<void> {
  return reader.until(({ frames }) => frames.filter(({ event }) => event === type).length >= count);
}

/** Checks that the frames are those of these resets, each complete, in order and with its own id (§6). */
export function expectResets(reader: StreamReader, resets: readonly { id: string; end: ControlFrameType }[]): void {
  const said = controlFrames(reader);
  expect(said.map(({ type, component, correlation_id }) => `${type} ${component} ${correlation_id}`)).toEqual(
    resets.flatMap(({ id, end }) => [`reset-initiated * ${id}`, `reset-started * ${id}`, `${end} * ${id}`]),
  );
  expect(said.filter(({ type }) => type === 'reset-initiated').map(({ id }) => id)).toEqual(resets.map(({ id }) => id));
  const ids = said.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
}

/** Stores a fetcher's cursor, which a reset clears with the events. */
export async function putCursor(url: string): Promise<void> {
  await clientOf(url).putFetcherState({ params: { adapter: 'github-actions' }, body: { cursor: 'page-7' } });
}

/** The log lines of a service. */
export class LogLines {
  text = '';

  write(line: string): void {
    this.text += line;
  }

  count(words: string): number {
    return this.text.split(words).length - 1;
  }

  /** Resolves when the words were logged this many times. */
  async reaches(words: string, count: number): Promise<void> {
    await until(async () => this.count(words) >= count);
  }
}

/** The message that a service logs when a step of a reset fails. */
export const stepFailed = 'a reset step failed';
