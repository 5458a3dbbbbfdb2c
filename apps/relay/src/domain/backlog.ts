import { nilId, type Status } from '@shiplog/contract';
import type { DigestMessage, DigestPlace, EventMessage } from './message.ts';

/** What waits at one place of a backlog: a single message, or the content of a digest. */
interface Waiting extends Pick<DigestMessage, 'count' | 'firstId' | 'lastId' | 'statuses' | 'failures'> {
  readonly places: ReadonlyMap<string, DigestPlace>;
  readonly arrivedMs: number;
  /** The position of the target before all of it. */
  readonly before: string;
  /** There while it is still told by itself. */
  readonly single?: EventMessage;
}

export interface BacklogBounds {
  /** Single messages in any 60 s; `Infinity`: as many as there are. Failures are never held back by it. */
  readonly burst: number;
  readonly maxAgeMs: number;
}

/** What is to be done next: a message, or a wait until it may go. */
export type Next = { readonly message: EventMessage | DigestMessage } | { readonly waitMs: number };

const windowMs = 60_000;
/** Single messages that wait for a target that is away. What comes when there are so many goes into a digest. */
const waitingMax = 10_000;
const placesMax = 50;
const failuresMax = 20;

/**
 * What waits for one target, in the order in which it arrived (relay §9.8, §9.9). What is more than the burst, or older than
 * `maxAgeMs`, is only counted and named for a digest. A failure is a single message: it overtakes a digest that waits for
 * the burst, so that nobody hears of it late.
 */
export class Backlog {
  readonly #bounds: BacklogBounds;
  #waiting: Waiting[] = [];
  /** When the single messages of the last 60 s were delivered; empty where there is no burst. */
  #delivered: number[] = [];
  /** What `next` gave last, and whether an attempt to send it is under way. */
  #chosen: Waiting | undefined;
  #isUnderWay = false;
  #overtaken = nilId;

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

  /** The failure up to which every failure is settled, also where `position` is before it. */
  get overtaken(): string {
    return this.#overtaken;
  }

  add(message: EventMessage, arrivedMs: number, { before, nowMs }: { before: string; nowMs: number }): void {
    const one = waitingOf(message, arrivedMs, before);
    const at = this.#waiting.findIndex((waiting) => this.#isOpenDigest(waiting));
    const digest = this.#waiting[at];
    const isSingle = (!digest || isFailure(one)) && this.#hasRoom(one, nowMs);
    if (isSingle) this.#waiting.push({ ...one, single: message });
    else if (digest) this.#waiting[at] = joined(digest, one);
    else this.#waiting.push(one);
  }

  /** The message that may be sent. `undefined` where nothing waits. */
  next(nowMs: number): Next | undefined {
    this.#joinOld(nowMs);
    const [first] = this.#waiting;
    if (!first) return undefined;
    const waitMs = this.#waitMs(nowMs);
    this.#chosen = waitMs > 0 ? this.#waiting.find(({ single }) => single?.event.status === 'failure') : first;
    if (!this.#chosen) return { waitMs };
    return { message: this.#chosen.single ?? digestOf(this.#chosen) };
  }

  /** An attempt to send what `next` gave begins; meanwhile nothing is added to it. */
  begin(): void {
    this.#isUnderWay = true;
  }

  /** The attempt is over. What is settled, because it was delivered or can never be, waits no more. */
  end(outcome: 'delivered' | 'dropped' | 'failed', nowMs: number): void {
    this.#isUnderWay = false;
    const settled = this.#chosen;
    if (outcome === 'failed' || !settled) return;
    const at = this.#waiting.indexOf(settled);
    if (at < 0) return;
    const before = this.#waiting.slice(0, at);
    // A failure in a digest that still waits would be lost with a restart if those after it counted as settled.
    if (isFailure(settled) && !before.some(isFailure)) this.#overtaken = settled.lastId;
    this.#waiting.splice(at, 1);
    const isCounted = settled.single && outcome === 'delivered' && this.#bounds.burst < Number.POSITIVE_INFINITY;
    if (isCounted) this.#delivered.push(nowMs);
  }

  clear(): void {
    this.#waiting = [];
    this.#overtaken = nilId;
  }

  /** The single messages of the last 60 s, and when the last of them was delivered: what a restart has to know. */
  recent(nowMs: number): readonly [count: number, atMs: number] {
    this.#forgetDelivered(nowMs);
    return [this.#delivered.length, this.#delivered.at(-1) ?? 0];
  }

  /** Continues after a restart: as if all of them had been delivered with the last. */
  remember([count, atMs]: readonly [number, number], overtaken: string): void {
    const { burst } = this.#bounds;
    this.#delivered = burst < Number.POSITIVE_INFINITY ? Array(Math.min(count, burst)).fill(atMs) : [];
    this.#overtaken = overtaken;
  }

  #isOpenDigest(waiting: Waiting): boolean {
    return !waiting.single && !(this.#isUnderWay && waiting === this.#chosen);
  }

  #hasRoom(one: Waiting, nowMs: number): boolean {
    if (this.#waiting.length >= waitingMax) return false;
    if (isFailure(one) || this.#bounds.burst === Number.POSITIVE_INFINITY) return true;
    this.#forgetDelivered(nowMs);
    const singles = this.#waiting.filter(({ single }) => single).length;
    return singles + this.#delivered.length < this.#bounds.burst;
  }

  /** How long the burst holds back everything but failures. */
  #waitMs(nowMs: number): number {
    this.#forgetDelivered(nowMs);
    const last = this.#delivered.at(-this.#bounds.burst);
    return last === undefined || this.#delivered.length < this.#bounds.burst ? 0 : last + windowMs - nowMs;
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

function isFailure({ statuses }: Waiting): boolean {
  return (statuses.failure ?? 0) > 0;
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
