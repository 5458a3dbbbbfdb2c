import { type Client, createClient } from '@shiplog/client';
import { type AccessSelf, type DeploymentEvent, promotionOrder } from '@shiplog/contract';
import { type Board, boardOf, withRows } from '../board/board.ts';
import { type Facts, factsOf, noFacts } from '../board/facts.ts';
import { namedStages, type ReportedStages } from '../board/stages.ts';
import { imported } from '../state/imported.ts';
import { Store } from '../state/store.ts';
import { Inbox } from './inbox.ts';
import type { Call, LinkState, TabMessage } from './messages.ts';
import { settleLater, withoutBoardMs } from './patience.ts';
import { asksForSignIn, watchedFetch } from './reader.ts';
import { seenEveryMs, sourceTimes } from './source-times.ts';

/** Receives each event once. `isFresh` is false for events from before the page caught up. */
export type EventListener = (events: readonly DeploymentEvent[], isFresh: (event: DeploymentEvent) => boolean) => void;

export interface PastBoard {
  /** `undefined` while the past board is loading. */
  readonly board: Board | undefined;
  readonly atMs: number;
}

/** A page that was hidden for longer than this reconnects. */
const hiddenMs = 60_000;

/** What the page knows about the service, updated by this browser's source. */
export class Connection {
  /** The URL of the service, without a trailing slash; the page may be served below any path. */
  readonly baseUrl: string;
  readonly client: Client;
  /** The board that the page shows: the current one or a past one. */
  readonly board = new Store<Board | undefined>(undefined);
  readonly facts = new FactsStore(this.board);
  readonly stages = new Store<ReportedStages>(namedStages(promotionOrder));
  /** The service has named the stages, or the page no longer waits for them. Until then production isn't known. */
  readonly areStagesKnown = new Store(false);
  readonly link = new Store<LinkState>({ link: 'connecting', reason: undefined, asOf: 0 });
  /** The reader; `undefined` where everyone may read. */
  readonly reader = new Store<AccessSelf | undefined>(undefined);
  readonly now = new Clock();
  readonly #inbox = new Inbox((message) => this.#take(message));
  #send: ((call: Call) => void) | undefined;
  #live: Board | undefined;
  #past: PastBoard | undefined;
  readonly #events = new Signal<Parameters<EventListener>>();
  readonly #removed = new Signal<[id: string]>();
  readonly #cleared = new Signal<[]>();
  readonly #noticesChanged = new Signal<[]>();
  readonly #missed = new Signal<[upTo: string]>();
  /** Each of these methods adds a listener and returns a function that removes it. */
  readonly onEvents = this.#events.listen;
  readonly onRemoved = this.#removed.listen;
  readonly onCleared = this.#cleared.listen;
  readonly onNoticesChanged = this.#noticesChanged.listen;
  /** Calls the listener when events may have been missed, with the id of the last one (`''` = unknown). */
  readonly onMissed = this.#missed.listen;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
    setTimeout(() => this.areStagesKnown.set(true), withoutBoardMs);
    const onAnswer = (answer: Response) => asksForSignIn(answer) && this.#send?.({ kind: 'doubt' });
    this.client = createClient({ baseUrl, fetch: watchedFetch(onAnswer) });
  }

  /** Shows a past board, with ages relative to its time; `undefined` = the current board. */
  show(past: PastBoard | undefined): void {
    this.#past = past;
    this.now.stopAt(past?.atMs);
    this.board.set(past ? past.board : this.#live);
  }

  #setLive(board: Board): void {
    this.#live = board;
    if (!this.#past) this.board.set(board);
  }

  async open(): Promise<void> {
    const send = 'SharedWorker' in window ? this.#openShared() : await this.#openAlone();
    this.#send = send;
    const seen = () => document.hidden || send({ kind: 'seen' });
    let hiddenAt = 0;
    addEventListener('pagehide', () => send({ kind: 'bye' }));
    addEventListener('pageshow', ({ persisted }) => persisted && send({ kind: 'wake' }));
    addEventListener('online', () => send({ kind: 'wake' }));
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (Date.now() - hiddenAt > hiddenMs) send({ kind: 'wake' });
      seen();
    });
    setInterval(seen, seenEveryMs);
    seen();
  }

  #openShared(): (call: Call) => void {
    const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: this.baseUrl });
    worker.port.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#inbox.take(data);
    let send = (call: Call) => worker.port.postMessage(call);
    // The browser doesn't support modules in workers, or a newer service no longer has this worker's file.
    worker.onerror = async () => {
      send = await this.#openAlone();
    };
    return (call) => send(call);
  }

  /** A browser without shared workers (Chrome on Android) runs a source in each tab. */
  async #openAlone(): Promise<(call: Call) => void> {
    const { startSource } = await untilLoaded(() => imported(() => import('./source.ts')));
    const source = startSource(this.baseUrl, (message) => this.#inbox.take(message));
    if (!document.hidden) source.seen();
    return ({ kind }) => (kind === 'bye' ? undefined : source[kind]());
  }

  #take(message: TabMessage): void {
    if (message.kind === 'link') this.link.set(message);
    else if (message.kind === 'facts') this.#takeFacts(message);
    else if (message.kind === 'reader') this.reader.set(message.reader);
    else if (message.kind === 'clock') this.now.setOffset(message.offsetMs);
    else if (message.kind === 'board') this.#setLive(boardOf(JSON.parse(message.json)));
    else if (message.kind === 'missed') this.#missed.send(message.upTo);
    else if (message.kind === 'removed') this.#removed.send(message.id);
    else if (message.kind === 'cleared') this.#cleared.send();
    else if (message.kind === 'notices-changed') this.#noticesChanged.send();
    else {
      if (this.#live) this.#setLive(withRows(this.#live, message.rows));
      const { head } = message;
      this.#events.send(message.events, ({ id }) => head !== undefined && id > head);
    }
  }

  #takeFacts(message: Extract<TabMessage, { readonly kind: 'facts' }>): void {
    const { stages = [] } = message.facts ?? {};
    const isNew = stages.length > 0 && JSON.stringify(stages) !== JSON.stringify(this.stages.value);
    if (isNew) this.stages.set(stages);
    this.areStagesKnown.set(true);
    this.facts.take(message);
  }
}

/** Retries until the source is loaded, because the page can't show a board without it. */
async function untilLoaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, sourceTimes.pollMs));
    }
  }
}

class FactsStore extends Store<Facts> {
  /** The facts are known or have timed out, so the page need not wait for them. */
  readonly isSettled = new Store(false);

  constructor(board: Store<unknown>) {
    super(noFacts);
    settleLater(board, () => this.isSettled.set(true));
  }

  take({ facts, position }: Extract<TabMessage, { readonly kind: 'facts' }>): void {
    this.set(facts ? factsOf(facts, position) : { ...this.value, position });
    this.isSettled.set(true);
  }
}

class Signal<Values extends readonly unknown[]> {
  readonly #listeners = new Set<(...values: Values) => void>();

  readonly listen = (listener: (...values: Values) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  send(...values: Values): void {
    for (const listener of this.#listeners) listener(...values);
  }
}

const everyMs = 5000;

/** The time that ages are relative to: the service's time, or the time of a past board. All ages tick together. */
export class Clock extends Store<number> {
  /** The service's time, even while the page shows a past board. */
  readonly present = new Store(Date.now());
  #offsetMs = 0;
  #stoppedAtMs: number | undefined;

  constructor() {
    super(Date.now());
    setInterval(() => this.tick(), everyMs);
  }

  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.tick();
  }

  /** Stops the clock at a time; `undefined` = the present, with a running clock. */
  stopAt(instantMs: number | undefined): void {
    this.#stoppedAtMs = instantMs;
    this.tick();
  }

  /** Brings the times up to date, before the next regular tick. */
  tick(): void {
    this.present.set(Date.now() + this.#offsetMs);
    this.set(this.#stoppedAtMs ?? this.present.value);
  }
}
