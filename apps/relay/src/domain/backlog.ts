import type { Status } from '@shiplog/contract';
import type { DigestMessage, DigestPlace, EventMessage } from './message.ts';
import { isNews, type NewsMessage } from './news.ts';

/** A waiting item: a single message, or the content of a digest. */
interface Waiting extends Pick<DigestMessage, 'count' | 'firstId' | 'lastId' | 'statuses' | 'failures'> {
  readonly places: ReadonlyMap<string, DigestPlace>;
  readonly arrivedMs: number;
  /** The target's position before this item. */
  readonly before: string;
  /** Absent once the item is part of a digest. */
  readonly single?: EventMessage | NewsMessage;
}

export interface BacklogBounds {
  readonly burst: number;
  readonly maxAgeMs: number;
}

/** The next step: a message, or a wait until it may be sent. */
export type Next = { readonly message: EventMessage | NewsMessage | DigestMessage } | { readonly waitMs: number };

const windowMs = 60_000;
/** The maximum number of single messages that wait for an unreachable target. Further events go into a digest. */
const waitingMax = 10_000;
const placesMax = 50;
const failuresMax = 20;

/**
 * The messages waiting for one target, in order of arrival (relay §9.8, §9.9). Events that exceed the burst or are
 * older than `maxAgeMs` are counted in a digest, which names services, environments and each failure. The digest is
 * sent before any later failure: a target gets its messages in order, and at most `burst` single ones (§8.3, §9.9).
 */
export class Backlog {
  readonly #bounds: BacklogBounds;
  #waiting: Waiting[] = [];
  /** When the single messages of the last 60 s were delivered; empty without a burst limit. */
  #delivered: number[] = [];
  #isUnderWay = false;

  constructor(bounds: BacklogBounds) {
    this.#bounds = bounds;
  }

  /** The number of waiting messages if none were combined in a digest. */
  get count(): number {
    return this.#waiting.reduce((sum, { count }) => sum + count, 0);
  }

  /** The position before the first waiting message; `undefined` if none waits. */
  get position(): string | undefined {
    return this.#waiting[0]?.before;
  }

  add(message: EventMessage, arrivedMs: number, { before, nowMs }: { before: string; nowMs: number }): void {
    const one = waitingOf(message, arrivedMs, before);
    const last = this.#waiting.at(-1);
    const isLastTaken = this.#isUnderWay && this.#waiting.length === 1;
    if (last && !last.single && !isLastTaken) this.#waiting[this.#waiting.length - 1] = joined(last, one);
    else this.#waiting.push(this.#hasRoom(nowMs) ? { ...one, single: message } : one);
  }

  /** News is never part of a digest, which counts deployments. */
  addNews(message: NewsMessage, before: string): void {
    const none = { firstId: before, lastId: before, statuses: {}, places: new Map(), failures: [] };
    this.#waiting.push({ count: 1, ...none, arrivedMs: Date.parse(message.at), before, single: message });
  }

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

  /** Begins an attempt to send the result of `next`. Until the attempt ends, nothing is added to that message. */
  begin(): void {
    this.#isUnderWay = true;
  }

  /** Ends the attempt. A delivered or dropped message no longer waits. */
  end(outcome: 'delivered' | 'dropped' | 'failed', nowMs: number): void {
    this.#isUnderWay = false;
    if (outcome === 'failed') return;
    const first = this.#waiting.shift();
    const isCounted = first?.single && outcome === 'delivered' && this.#bounds.burst < Number.POSITIVE_INFINITY;
    if (isCounted) this.#delivered.push(nowMs);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The number of single messages in the last 60 s and the time of the last delivery, to be stored for a restart. */
  recent(nowMs: number): readonly [count: number, atMs: number] {
    this.#forgetDelivered(nowMs);
    return [this.#delivered.length, this.#delivered.at(-1) ?? 0];
  }

  /** Continues after a restart as if all these messages had been delivered at the time of the last one. */
  remember([count, atMs]: readonly [number, number]): void {
    const { burst } = this.#bounds;
    this.#delivered = burst < Number.POSITIVE_INFINITY ? Array(Math.min(count, burst)).fill(atMs) : [];
  }

  #hasRoom(nowMs: number): boolean {
    if (this.#waiting.length >= waitingMax) return false;
    if (this.#bounds.burst === Number.POSITIVE_INFINITY) return true;
    this.#forgetDelivered(nowMs);
    const singles = this.#waiting.filter(({ single }) => single).length;
    return singles + this.#delivered.length < this.#bounds.burst;
  }

  #forgetDelivered(nowMs: number): void {
    this.#delivered = this.#delivered.filter((atMs) => atMs > nowMs - windowMs);
  }

  /** Moves messages that have waited too long into the first digest. */
  #joinOld(nowMs: number): void {
    const isOld = ({ arrivedMs, single }: Waiting) =>
      !single || (!isNews(single) && arrivedMs + this.#bounds.maxAgeMs <= nowMs);
    const old = this.#waiting.findIndex((waiting) => !isOld(waiting));
    const size = old < 0 ? this.#waiting.length : old;
    if (size === 0) return;
    const { single, ...digest } = this.#waiting.slice(0, size).reduce(joined);
    // If the first message is recent, `size` is 0.
    this.#waiting.splice(0, size, digest);
  }
}

function waitingOf({ event }: EventMessage, arrivedMs: number, before: string): Waiting {
  const { id, service, environment, status } = event;
  return {
    ...{ count: 1, firstId: id, lastId: id, statuses: { [status]: 1 }, arrivedMs, before },
    places: new Map([[placeKey({ service, environment }), { service, environment, count: 1 }]]),
    failures: status === 'failure' ? [event] : [],
  };
}

function placeKey({ service, environment }: Omit<DigestPlace, 'count'>): string {
  return JSON.stringify([service, environment]);
}

function joined(one: Waiting, other: Waiting): Waiting {
  const statuses = { ...one.statuses };
  for (const [status, count] of Object.entries(other.statuses) as [Status, number][]) {
    statuses[status] = (statuses[status] ?? 0) + count;
  }
  const places = new Map(one.places);
  for (const [key, place] of other.places) {
    const known = places.get(key)?.count ?? 0;
    if (known > 0 || places.size < placesMax) places.set(key, { ...place, count: known + place.count });
  }
  const failures = [...one.failures, ...other.failures].slice(0, failuresMax);
  const { firstId, before } = one;
  const { lastId, arrivedMs } = other;
  return { count: one.count + other.count, firstId, lastId, statuses, places, failures, arrivedMs, before };
}

function digestOf({ arrivedMs, places, before: _, single: __, ...content }: Waiting): DigestMessage {
  const { firstId, lastId, count } = content;
  const at = new Date(arrivedMs).toISOString();
  return { kind: 'digest', id: `${firstId}-${lastId}-${count}`, ...content, places: [...places.values()], at };
}
