import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, settledWithin } from './connection.ts';
import { ServerWatch } from './server-watch.ts';

/** How long the start waits for the other servers once one has reported to be the primary. */
const othersMs = 200;
/** Pause between two queries to a server. */
const everyMs = 200;
/** How long to wait for an old primary to be marked before its successor is used. */
const markMs = 500;

/** A change of the servers. */
export interface ServerChange {
  /** `moved`: it replaced the previous primary; `superseded`: it still acts as a primary although it was replaced. */
  readonly kind: 'moved' | 'superseded';
  /** Which of the servers, counted from 0. */
  readonly host: number;
  /** The greatest known timeline. */
  readonly timeline: number;
}

/**
 * The servers of the log, one of which is the primary. Each is polled. A new primary starts a new timeline, so of two
 * primaries the one with the greater timeline is right, and an instance never goes back to an earlier timeline:
 *
 * ```
 *  a server says                            what follows
 *  primary, a greater timeline              those of lesser timelines are marked; then pools and listener move there
 *  primary, the greatest timeline known     pools and listener move there, unless the one that they use says the same
 *  primary, a lesser timeline               it is marked, and never used
 *  it was marked with a greater timeline    nothing of it is used; the primary of that timeline is waited for
 *  standby, or nothing                      it is asked again
 * ```
 *
 * A single server is not polled.
 */
export class Servers {
  readonly #watches: readonly [ServerWatch, ...ServerWatch[]];
  readonly #onMoved = new Set<() => void>();
  readonly #onChange: (change: ServerChange) => void;
  #current: ServerWatch;
  /** The greatest known timeline; 0 = none yet. */
  #latest = 0;
  #isOver = false;
  readonly #pauses = new Set<() => void>();

  /** @param all at least one. */
  constructor(all: readonly [Connection, ...Connection[]], onChange: (change: ServerChange) => void = () => undefined) {
    const [first, ...others] = all;
    this.#current = new ServerWatch(first);
    this.#watches = [this.#current, ...others.map((other) => new ServerWatch(other))];
    this.#onChange = onChange;
  }

  /** The connection to the primary, as far as is known. */
  get connection(): Connection {
    return this.#current.connection;
  }

  /** Calls the listener when the previous primary must no longer be used. */
  onMoved(listener: () => void): void {
    this.#onMoved.add(listener);
  }

  /** Queries all servers; resolves when the primary is found or all have answered. Then polls them until `stop`. */
  async start(): Promise<void> {
    if (this.#watches.length === 1) return;
    const first = this.#watches.map((watch) => this.#check(watch));
    const all = Promise.allSettled(first);
    await Promise.any(first.map(found)).catch(() => undefined);
    await Promise.race([all, pause(othersMs)]);
    for (const [n, watch] of this.#watches.entries()) void first[n]?.then(() => this.#follow(watch));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const end of this.#pauses) end();
    await Promise.all(this.#watches.map((watch) => watch.stop()));
  }

  async #follow(watch: ServerWatch): Promise<void> {
    while (!this.#isOver) {
      await this.#pause();
      await this.#check(watch);
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, everyMs);
      this.#pauses.add(end);
    });
  }

  /** Returns whether the server is the primary. */
  async #check(watch: ServerWatch): Promise<boolean> {
    if (this.#isOver) return false;
    const { timeline, successor } = (await watch.query()) ?? { timeline: null, successor: null };
    if (this.#isOver) return false;
    if ((successor ?? 0) > this.#latest) {
      this.#latest = successor ?? 0;
      this.#move();
    }
    if (timeline === null) return false;
    if (timeline < this.#latest) {
      await this.#supersede(watch, this.#latest);
      return false;
    }
    if (timeline > this.#latest || this.#current.state?.timeline !== timeline) await this.#take(watch, timeline);
    return true;
  }

  /** No instance may read from the new primary while another still reads from the old one. */
  async #take(watch: ServerWatch, timeline: number): Promise<void> {
    const isFirst = this.#latest === 0;
    this.#latest = timeline;
    const lesser = this.#watches.filter(({ state }) => state?.timeline && state.timeline < timeline);
    await settledWithin(markMs, Promise.all(lesser.map((each) => this.#supersede(each, timeline))));
    if (this.#isOver || this.#latest > timeline || this.#current === watch) return;
    this.#current = watch;
    this.#move();
    if (!isFirst) this.#onChange({ kind: 'moved', host: this.#watches.indexOf(watch), timeline });
  }

  async #supersede(watch: ServerWatch, timeline: number): Promise<void> {
    const wasUnmarked = await watch.supersede(timeline).catch(() => false);
    if (wasUnmarked) this.#onChange({ kind: 'superseded', host: this.#watches.indexOf(watch), timeline });
  }

  #move(): void {
    for (const listener of this.#onMoved) listener();
  }
}

/** Rejects unless the server is the primary, so that `Promise.any` finds it. */
async function found(check: Promise<boolean>): Promise<void> {
  if (!(await check)) throw new Error('no primary');
}
