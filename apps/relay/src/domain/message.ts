import type { DeploymentEvent, Status } from '@shiplog/contract';

/** News of one row of the log. */
export interface EventMessage {
  readonly kind: 'deployment';
  /** The same on every attempt, also after a restart. */
  readonly id: string;
  readonly event: DeploymentEvent;
  /** Whose the service is; empty where the catalog does not tell. */
  readonly team: string;
  /** It is told because the deployment does not end. */
  readonly isStuck: boolean;
}

/** What stands for news that are too many or too old to be told one by one. */
export interface DigestMessage {
  readonly kind: 'digest';
  /** Follows from what it stands for: a digest that grew between two attempts is another one. */
  readonly id: string;
  readonly count: number;
  /** The first and the last event that it stands for. */
  readonly firstId: string;
  readonly lastId: string;
  readonly statuses: Readonly<Partial<Record<Status, number>>>;
  /** When the last of them arrived. */
  readonly at: string;
}

/** What `--test` sends. */
export interface TestMessage {
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

export function eventMessage(event: DeploymentEvent, team: string, isStuck = false): EventMessage {
  return { kind: 'deployment', id: isStuck ? `${event.id}-stuck` : event.id, event, team, isStuck };
}

export function testMessage(at: Date): TestMessage {
  return { kind: 'test', id: `test-${at.getTime()}`, at: at.toISOString() };
}
