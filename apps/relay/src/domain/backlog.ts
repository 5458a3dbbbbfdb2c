import type { Status } from '@shiplog/contract';
import type { DigestMessage, EventMessage } from './message.ts';

/** What waits at one place of a backlog. */
interface Waiting {
  readonly count: number;
  readonly firstId: string;
  readonly lastId: string;
  readonly statuses: Readonly<Partial<Record<Status, number>>>;
  readonly arrivedMs: number;
  /** The position of the target before all of it. */
  readonly before: string;
  /** There while it is still told by itself. */
  readonly single?: EventMessage;
}

export interface BacklogBounds {
  /** Single messages in any 60 s. */
  readonly burst: number;
  readonly maxAgeMs: number;
}

/** What is to be done next: a message, or a wait until it may go. */
export type Next = { readonly message: EventMessage | DigestMessage } | { readonly waitMs: number };

const windowMs = 60_000;

/**
 * What waits for one target, in the order in which it arrived (relay §9.8, §9.9). It holds at most `burst` messages, however
 * long the target is away: what is more, or older than `maxAgeMs`, is only counted for a digest.
 */
export class Backlog {
  readonly #bounds: BacklogBounds;
  #waiting: Waiting[] = [];
  /** When the single messages of the last 60 s were delivered. */
  #delivered: number[] = [];
  #isUnderWay = false;

  constructor(bounds: BacklogBounds) {
    this.#bounds = bounds;
  }

  /** How many messages would be sent if none were in a digest. */
  get count(): number {
    return this.#waiting.reduce((sum, { count }) => sum + count, 0);
  }

  /** The position before everything that waits; `undefined` where nothing does. */
  get position(): string | undefined {
    return this.#waiting[0]?.before;
  }

  add(message: EventMessage, arrivedMs: number, { before, nowMs }: { before: string; nowMs: number }): void {
    const { id, status } = message.event;
    const one = { count: 1, firstId: id, lastId: id, statuses: { [status]: 1 }, arrivedMs, before };
    const last = this.#waiting.at(-1);
    const isLastTaken = this.#isUnderWay && this.#waiting.length === 1;
    if (last && !last.single && !isLastTaken) this.#waiting[this.#waiting.length - 1] = joined(last, one);
    else this.#waiting.push(this.#hasRoom(nowMs) ? { ...one, single: message } : one);
  }

  /** The first that waits. `undefined` where nothing does. */
  next(nowMs: number): Next | undefined {
    this.#joinOld(nowMs);
    const [first] = this.#waiting;
    if (!first) return undefined;
    this.#forgetDelivered(nowMs);
    const [earliest] = this.#delivered;
    if (earliest !== undefined && this.#delivered.length >= this.#bounds.burst) {
      return { waitMs: earliest + windowMs - nowMs };
    }
    return { message: first.single ?? digestOf(first) };
  }

  /** An attempt to send what `next` gave begins; meanwhile nothing is added to it. */
  begin(): void {
    this.#isUnderWay = true;
  }

  /** The attempt is over. What is settled, because it was delivered or can never be, waits no more. */
  end(outcome: 'delivered' | 'dropped' | 'failed', nowMs: number): void {
    this.#isUnderWay = false;
    if (outcome === 'failed') return;
    const first = this.#waiting.shift();
    if (first?.single && outcome === 'delivered') this.#delivered.push(nowMs);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The single messages of the last 60 s, and when the last of them was delivered: what a restart has to know. */
  recent(nowMs: number): readonly [count: number, atMs: number] {
    this.#forgetDelivered(nowMs);
    return [this.#delivered.length, this.#delivered.at(-1) ?? 0];
  }

  /** Goes on after a restart: as if all of them had been delivered with the last. */
  remember([count, atMs]: readonly [number, number]): void {
    this.#delivered = Array(Math.min(count, this.#bounds.burst)).fill(atMs);
  }

  #hasRoom(nowMs: number): boolean {
    this.#forgetDelivered(nowMs);
    const singles = this.#waiting.filter(({ single }) => single).length;
    return singles + this.#delivered.length < this.#bounds.burst;
  }

  #forgetDelivered(nowMs: number): void {
    this.#delivered = this.#delivered.filter((atMs) => atMs > nowMs - windowMs);
  }

  /** What waits for too long goes into the digest that stands first. */
  #joinOld(nowMs: number): void {
    const isOld = ({ arrivedMs, single }: Waiting) => !single || arrivedMs + this.#bounds.maxAgeMs <= nowMs;
    const old = this.#waiting.findIndex((waiting) => !isOld(waiting));
    const size = old < 0 ? this.#waiting.length : old;
    if (size === 0) return;
    const { single, ...digest } = this.#waiting.slice(0, size).reduce(joined);
    // A single message that is young is none of them: `size` is 0 then.
    this.#waiting.splice(0, size, digest);
  }
}

function joined(one: Waiting, other: Waiting): Waiting {
  const statuses = { ...one.statuses };
  for (const [status, count] of Object.entries(other.statuses) as [Status, number][]) {
    statuses[status] = (statuses[status] ?? 0) + count;
  }
  const { firstId, before } = one;
  const { lastId, arrivedMs } = other;
  return { count: one.count + other.count, firstId, lastId, statuses, arrivedMs, before };
}

function digestOf({ count, firstId, lastId, statuses, arrivedMs }: Waiting): DigestMessage {
  const at = new Date(arrivedMs).toISOString();
  return { kind: 'digest', id: `${firstId}-${lastId}-${count}`, count, firstId, lastId, statuses, at };
}
