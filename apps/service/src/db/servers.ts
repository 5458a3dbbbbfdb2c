import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, settledWithin } from './connection.ts';
import { ServerWatch } from './server-watch.ts';

/** How long the others are waited for at the start once one has said that it is the primary. */
const othersMs = 200;
/** How long after an answer a server is asked again. */
const everyMs = 200;
/** How long a primary of an earlier timeline may take to be marked before its successor is used. */
const markMs = 500;

/** What became of the servers, for people. */
export interface ServerNews {
  /** `moved`: it is the primary, in the place of the one before; `superseded`: it is one still, although its place is taken. */
  readonly kind: 'moved' | 'superseded';
  /** Which of the servers, counted from 0. */
  readonly host: number;
  /** The greatest that is known. */
  readonly timeline: number;
}

/**
 * The servers of the log, of which one is the primary. Each is asked all the time whether it is. A new primary begins a
 * timeline, so of two the one with the greater timeline is it, and an instance that has seen a timeline never goes back
 * to an earlier one:
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
 * With one server nothing is asked: there is no other that could be the primary.
 */
export class Servers {
  readonly #watches: readonly [ServerWatch, ...ServerWatch[]];
  readonly #onMoved = new Set<() => void>();
  readonly #tell: (news: ServerNews) => void;
  #current: ServerWatch;
  /** The greatest timeline that is known of; 0 before there is one. */
  #latest = 0;
  #isOver = false;
  readonly #pauses = new Set<() => void>();

  /** @param all at least one. */
  constructor(all: readonly [Connection, ...Connection[]], tell: (news: ServerNews) => void = () => undefined) {
    const [first, ...others] = all;
    this.#current = new ServerWatch(first);
    this.#watches = [this.#current, ...others.map((other) => new ServerWatch(other))];
    this.#tell = tell;
  }

  /** The way to the primary, as far as is known. */
  get connection(): Connection {
    return this.#current.connection;
  }

  /** Calls when what was the primary must not be used any more. */
  onMoved(listener: () => void): void {
    this.#onMoved.add(listener);
  }

  /** Asks all; resolves when the primary is found, or each has answered. They are asked until `stop` from then on. */
  async start(): Promise<void> {
    if (this.#watches.length === 1) return;
    const first = this.#watches.map((watch) => this.#look(watch));
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
      await this.#look(watch);
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

  /** Gives whether the server is the primary. */
  async #look(watch: ServerWatch): Promise<boolean> {
    if (this.#isOver) return false;
    const { timeline, successor } = (await watch.look()) ?? { timeline: null, successor: null };
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

  /** No instance is to read at the new primary while another one still reads at the one before. */
  async #take(watch: ServerWatch, timeline: number): Promise<void> {
    const isFirst = this.#latest === 0;
    this.#latest = timeline;
    const lesser = this.#watches.filter(({ state }) => state?.timeline && state.timeline < timeline);
    await settledWithin(markMs, Promise.all(lesser.map((each) => this.#supersede(each, timeline))));
    if (this.#isOver || this.#latest > timeline || this.#current === watch) return;
    this.#current = watch;
    this.#move();
    if (!isFirst) this.#tell({ kind: 'moved', host: this.#watches.indexOf(watch), timeline });
  }

  async #supersede(watch: ServerWatch, timeline: number): Promise<void> {
    const wasUnmarked = await watch.supersede(timeline).catch(() => false);
    if (wasUnmarked) this.#tell({ kind: 'superseded', host: this.#watches.indexOf(watch), timeline });
  }

  #move(): void {
    for (const listener of this.#onMoved) listener();
  }
}

/** Rejects where the server is no primary, so that the first that is can be waited for. */
async function found(look: Promise<boolean>): Promise<void> {
  if (!(await look)) throw new Error('no primary');
}
