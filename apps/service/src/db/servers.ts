import { pause } from '@shiplog/streams';
import { type Connection, settledWithin } from './connection.ts';
import { ServerWatch } from './server-watch.ts';

/** How long the start waits for the other servers once it has found the primary. */
const othersMs = 200;
const everyMs = 200;
/** How long to wait until an old primary is marked before using its successor. */
const markMs = 500;

export interface ServerChange {
  /**
   * `moved`: this server replaced the previous primary. `superseded`: this server was replaced but still acts as a
   * primary.
   */
  readonly kind: 'moved' | 'superseded';
  /** The index of the server. */
  readonly host: number;
  /** The greatest known timeline. */
  readonly timeline: number;
}

/**
 * Polls the servers in `DATABASE_URL` to find the primary, unless there is only one server. A new primary starts a new
 * timeline. So if there are two primaries, the one with the greater timeline is valid, and an instance never returns to
 * an earlier timeline:
 *
 * ```
 *  a server reports                         action
 *  primary, a greater timeline              mark primaries of lesser timelines, then move pools and listener there
 *  primary, the greatest known timeline     move there, unless the current server reports the same
 *  primary, a lesser timeline               mark it and never use it
 *  a mark with a greater timeline           stop using it and wait for the primary of that timeline
 *  standby, or no answer                    none
 * ```
 */
export class Servers {
  readonly #watches: readonly [ServerWatch, ...ServerWatch[]];
  readonly #onMoved = new Set<() => void>();
  readonly #onChange: (change: ServerChange) => void;
  #current: ServerWatch;
  /** The greatest known timeline; 0 if none is known yet. */
  #latest = 0;
  readonly #over = new AbortController();

  constructor(all: readonly [Connection, ...Connection[]], onChange: (change: ServerChange) => void = () => undefined) {
    const [first, ...others] = all;
    this.#current = new ServerWatch(first);
    this.#watches = [this.#current, ...others.map((other) => new ServerWatch(other))];
    this.#onChange = onChange;
  }

  /** The connection to the last known primary. */
  get connection(): Connection {
    return this.#current.connection;
  }

  /** The listener is called when the previous primary must no longer be used. */
  onMoved(listener: () => void): void {
    this.#onMoved.add(listener);
  }

  /**
   * Queries all servers. Resolves when the primary is found or all servers have responded. Then polls them until
   * `stop`.
   */
  async start(): Promise<void> {
    if (this.#watches.length === 1) return;
    const first = this.#watches.map((watch) => this.#check(watch));
    const all = Promise.allSettled(first);
    await Promise.any(first.map(found)).catch(() => undefined);
    await Promise.race([all, pause(othersMs, this.#over.signal)]);
    for (const [n, watch] of this.#watches.entries()) void first[n]?.then(() => this.#follow(watch));
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#watches.map((watch) => watch.stop()));
  }

  async #follow(watch: ServerWatch): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await pause(everyMs, signal);
      await this.#check(watch);
    }
  }

  /** Whether the server is the primary. */
  async #check(watch: ServerWatch): Promise<boolean> {
    if (this.#over.signal.aborted) return false;
    const { timeline, successor } = (await watch.query()) ?? { timeline: null, successor: null };
    if (this.#over.signal.aborted) return false;
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

  /** No instance may read from the new primary while another instance still reads from the old one. */
  async #take(watch: ServerWatch, timeline: number): Promise<void> {
    const isFirst = this.#latest === 0;
    this.#latest = timeline;
    const lesser = this.#watches.filter(({ state }) => state?.timeline && state.timeline < timeline);
    await settledWithin(markMs, Promise.all(lesser.map((each) => this.#supersede(each, timeline))));
    if (this.#over.signal.aborted || this.#latest > timeline || this.#current === watch) return;
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
