import type { DeploymentEvent, Status } from '@shiplog/contract';
import { isNews, type NewsMessage } from './news.ts';
import { linkOf } from './shown.ts';

interface Linked {
  /** The dashboard page with details; absent without `PUBLIC_URL`. */
  readonly shiplogUrl?: string;
}

/** A message about one row of the log. */
export interface EventMessage extends Linked {
  readonly kind: 'deployment';
  /** The same on every attempt, even after a restart. */
  readonly id: string;
  readonly event: DeploymentEvent;
  /** The service's team; empty if the catalog has none. */
  readonly team: string;
  readonly isStuck: boolean;
  /** The success after a failure (relay §9.7). */
  readonly isRecovery: boolean;
}

export interface DigestPlace {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
}

/** Replaces messages that are too many or too old to be sent one by one. */
export interface DigestMessage extends Linked {
  readonly kind: 'digest';
  /** Derived from the content, so that a digest that grew between two attempts gets another id. */
  readonly id: string;
  readonly count: number;
  /** The ids of the first and the last event in the digest. */
  readonly firstId: string;
  readonly lastId: string;
  readonly statuses: Readonly<Partial<Record<Status, number>>>;
  /** The first slots in the digest; their counts may add up to less than `count`. */
  readonly places: readonly DigestPlace[];
  /** The first failures in the digest. */
  readonly failures: readonly DeploymentEvent[];
  /** When the last event arrived. */
  readonly at: string;
}

export interface TestMessage extends Linked {
  readonly kind: 'test';
  readonly id: string;
  readonly at: string;
}

export type Message = EventMessage | NewsMessage | DigestMessage | TestMessage;

/** When the service stored an event, in milliseconds, from the event's id, a UUIDv7 (relay §9.8). */
export function arrivalMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Whether an event is imported history, which is not sent (relay §9.8). */
export function isHistory({ id, happened_at }: DeploymentEvent, maxAgeMs: number): boolean {
  return arrivalMs(id) - Date.parse(happened_at) > maxAgeMs;
}

export function eventMessage(
  event: DeploymentEvent,
  team: string,
  { isStuck = false, isRecovery = false }: Partial<Pick<EventMessage, 'isStuck' | 'isRecovery'>> = {},
): EventMessage {
  return { kind: 'deployment', id: isStuck ? `${event.id}-stuck` : event.id, event, team, isStuck, isRecovery };
}

export function testMessage(at: Date): TestMessage {
  return { kind: 'test', id: `test-${at.getTime()}`, at: at.toISOString() };
}

/** Adds a link to a message: to the history of its slot, or else to the board. */
export function linked<Any extends Message>(message: Any, publicUrl: string | undefined): Any {
  if (publicUrl === undefined) return message;
  const event =
    message.kind === 'deployment' ? message.event : isNews(message) ? message.content.deployment : undefined;
  const history = event && historyPage(publicUrl, event);
  return { ...message, shiplogUrl: history ?? `${publicUrl}/` };
}

/** Uses the URL format of `apps/dashboard/src/state/address.ts`. */
function historyPage(publicUrl: string, { service, environment }: DeploymentEvent): string | undefined {
  return linkOf(`${publicUrl}/?${new URLSearchParams({ history: service, in: environment })}`);
}
