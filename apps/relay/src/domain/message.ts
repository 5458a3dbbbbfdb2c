import type { DeploymentEvent, Status } from '@shiplog/contract';
import { linkOf } from './shown.ts';

interface Linked {
  /** The page of the dashboard that shows more; absent where `PUBLIC_URL` is not set. */
  readonly shiplogUrl?: string;
}

/** News of one row of the log. */
export interface EventMessage extends Linked {
  readonly kind: 'deployment';
  /** The same on every attempt, also after a restart. */
  readonly id: string;
  readonly event: DeploymentEvent;
  /** Whose the service is; empty where the catalog does not tell. */
  readonly team: string;
  /** It is told because the deployment does not end. */
  readonly isStuck: boolean;
  /** The success after a failure (relay §9.7). */
  readonly isRecovery: boolean;
}

/** What a digest holds of one place. */
export interface DigestPlace {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
}

/** What stands for news that are too many or too old to be told one by one. */
export interface DigestMessage extends Linked {
  readonly kind: 'digest';
  /** Follows from what it stands for: a digest that grew between two attempts is another one. */
  readonly id: string;
  readonly count: number;
  /** The first and the last event that it stands for. */
  readonly firstId: string;
  readonly lastId: string;
  readonly statuses: Readonly<Partial<Record<Status, number>>>;
  /** The first places that it is of; their counts may be fewer than `count`. */
  readonly places: readonly DigestPlace[];
  /** The first failures in it. */
  readonly failures: readonly DeploymentEvent[];
  /** When the last of them arrived. */
  readonly at: string;
}

/** What `--test` sends. */
export interface TestMessage extends Linked {
  readonly kind: 'test';
  readonly id: string;
  readonly at: string;
}

/** What is sent to a target. */
export type Message = EventMessage | DigestMessage | TestMessage;

/** When the service stored an event, in milliseconds: what its id, a UUIDv7, begins with (relay §9.8). */
export function arrivalMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Imported history is no news (relay §9.8). */
export function isHistory({ id, happened_at }: DeploymentEvent, maxAgeMs: number): boolean {
  return arrivalMs(id) - Date.parse(happened_at) > maxAgeMs;
}

interface Told {
  readonly isStuck?: boolean;
  readonly isRecovery?: boolean;
}

export function eventMessage(
  event: DeploymentEvent,
  team: string,
  { isStuck = false, isRecovery = false }: Told = {},
): EventMessage {
  return { kind: 'deployment', id: isStuck ? `${event.id}-stuck` : event.id, event, team, isStuck, isRecovery };
}

export function testMessage(at: Date): TestMessage {
  return { kind: 'test', id: `test-${at.getTime()}`, at: at.toISOString() };
}

/** A message with the page that shows more: the history of its place, else the board. */
export function linked<Any extends Message>(message: Any, publicUrl: string | undefined): Any {
  if (publicUrl === undefined) return message;
  const history = message.kind === 'deployment' ? historyPage(publicUrl, message.event) : undefined;
  return { ...message, shiplogUrl: history ?? `${publicUrl}/` };
}

/** As the links of the dashboard are (`apps/dashboard/src/state/address.ts`). */
function historyPage(publicUrl: string, { service, environment }: DeploymentEvent): string | undefined {
  return linkOf(`${publicUrl}/?${new URLSearchParams({ history: service, in: environment })}`);
}
