import { type Client, createClient } from '@shiplog/client';
import { type DeploymentEvent, promotionOrder } from '@shiplog/contract';
import { type Board, boardOf, withRows } from '../board/board.ts';
import { Store } from '../state/store.ts';
import { Clock } from './clock.ts';
import { type Call, type LinkState, type News, newsIn, type Posted } from './messages.ts';
import { sourceTimes } from './source-times.ts';

/** Events as they come, each once, with whether it happened just now. */
export type EventListener = (events: readonly DeploymentEvent[], isFresh: (event: DeploymentEvent) => boolean) => void;

/** A board as it was. */
export interface PastBoard {
  /** `undefined` = it is still being asked for, and no other is to be seen meanwhile. */
  readonly board: Board | undefined;
  readonly atMs: number;
}

/** A page that was hidden for longer than this gets another connection when it is visible again. */
const hiddenMs = 60_000;

/** What the page knows about the service, as the source of this browser tells it. */
export class Connection {
  /** The URL of the service, which serves this page at any path. */
  readonly baseUrl: string;
  readonly client: Client;
  /** The board that the page shows: as it is, or as it was. */
  readonly board = new Store<Board | undefined>(undefined);
  readonly ladder = new Store<readonly string[]>(promotionOrder);
  readonly link = new Store<LinkState>({ link: 'connecting', reason: undefined, asOf: 0 });
  readonly now = new Clock();
  /** The board as it is, and the one that is shown instead. */
  #live: Board | undefined;
  #past: PastBoard | undefined;
  readonly #listeners = new Set<EventListener>();
  readonly #removals = new Set<(id: string) => void>();
  readonly #clearings = new Set<() => void>();
  readonly #gaps = new Set<(upTo: string) => void>();

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
    this.client = createClient({ baseUrl });
  }

  /** Returns what ends the listening. */
  onEvents(listener: EventListener): () => void {
    return added(this.#listeners, listener);
  }

  /** Calls with the id of an event that was removed from the log; returns what ends that. */
  onRemoved(listener: (id: string) => void): () => void {
    return added(this.#removals, listener);
  }

  /** Calls when the log was cleared; returns what ends that. */
  onCleared(listener: () => void): () => void {
    return added(this.#clearings, listener);
  }

  /** Calls when events may not have been told, with the last of them (`''` = not known which); returns what ends that. */
  onMissed(listener: (upTo: string) => void): () => void {
    return added(this.#gaps, listener);
  }

  /** Shows a past board, from whose instant ages count; `undefined` = the board as it is. */
  show(past: PastBoard | undefined): void {
    this.#past = past;
    this.now.stopAt(past?.atMs);
    this.board.set(past ? past.board : this.#live);
  }

  #setLive(board: Board): void {
    this.#live = board;
    if (!this.#past) this.board.set(board);
  }

  /** Connects this page to the source. */
  async open(): Promise<void> {
    const say = 'SharedWorker' in window ? this.#openShared() : await this.#openAlone();
    let hiddenAt = 0;
    addEventListener('pagehide', () => say({ kind: 'bye' }));
    addEventListener('pageshow', ({ persisted }) => persisted && say({ kind: 'wake' }));
    addEventListener('online', () => say({ kind: 'wake' }));
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (Date.now() - hiddenAt > hiddenMs) say({ kind: 'wake' });
    });
  }

  #openShared(): (call: Call) => void {
    const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: this.baseUrl });
    worker.port.onmessage = ({ data }: MessageEvent<Posted>) => this.#take(newsIn(data));
    let say = (call: Call) => worker.port.postMessage(call);
    // The browser knows no modules in workers, or a newer service no longer has this worker's file.
    worker.onerror = async () => {
      say = await this.#openAlone();
    };
    return (call) => say(call);
  }

  /** A browser without shared workers (Chrome on Android) has a source in each of its few tabs. */
  async #openAlone(): Promise<(call: Call) => void> {
    const { startSource } = await untilLoaded(() => import('./start-source.ts'));
    const source = startSource(this.baseUrl, (news) => this.#take(news));
    return ({ kind }) => (kind === 'bye' ? undefined : source.wake());
  }

  #take(news: News): void {
    if (news.kind === 'link') this.link.set({ link: news.link, reason: news.reason, asOf: news.asOf });
    else if (news.kind === 'ladder') this.ladder.set(news.ladder);
    else if (news.kind === 'clock') this.now.setOffset(news.offsetMs);
    else if (news.kind === 'board')
      this.#setLive(boardOf({ environments: [...news.environments], rows: [...news.rows] }));
    else if (news.kind === 'missed') for (const listener of this.#gaps) listener(news.upTo);
    else if (news.kind === 'removed') for (const listener of this.#removals) listener(news.id);
    else if (news.kind === 'cleared') for (const listener of this.#clearings) listener();
    else {
      if (this.#live) this.#setLive(withRows(this.#live, news.rows));
      const { head } = news;
      for (const listener of this.#listeners) listener(news.events, ({ id }) => head !== undefined && id > head);
    }
  }
}

/** A page without its source would wait for ever, so it is loaded again and again. */
async function untilLoaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, sourceTimes.pollMs));
    }
  }
}

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
