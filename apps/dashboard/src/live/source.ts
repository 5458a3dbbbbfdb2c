import type { Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow, pause } from '@shiplog/streams/follow';
import type { News } from './messages.ts';
import { followRemovals } from './removals.ts';
import type { Request } from './requests.ts';
import { reasonOf, SourceClient } from './source-client.ts';
import { type BoardEvent, greetingOf, initialState, linkOf, type Step, takeBoard, takeStream } from './source-state.ts';
import { type SourceTimes, sourceTimes } from './source-times.ts';
import type { StreamEvent } from './stream-table.ts';

export interface SourceOptions {
  readonly client: Client;
  readonly streamUrl: string;
  /** The component stream, which reports removed events; absent where none is followed. */
  readonly removalsUrl?: string;
  readonly tell: (news: News) => void;
  readonly signal: AbortSignal;
  readonly times?: Partial<SourceTimes>;
}

/** If a timer is late by so much, the machine was asleep. */
const sleepMs = 10_000;

/**
 * The board of one browser: a snapshot, and the stream from its `X-Stream-Position` on (reading 3.9), so that nothing is
 * missed or doubled. It runs once for all tabs (`worker.ts`), or in the page where there is no shared worker.
 * `stream-table.ts` and `source-state.ts` say what it does on each event; here are the stream, the requests, the timers
 * and the queue.
 */
export class Source {
  readonly #options: SourceOptions;
  readonly #times: SourceTimes;
  readonly #client: SourceClient;
  #state = initialState;
  #queue: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  #grace: ReturnType<typeof setTimeout> | undefined;
  /** Events of the stream that wait for their step. */
  #gathered: DeploymentEvent[] = [];
  /** Where the next connection resumes. */
  #lastEventId: string | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#times = { ...sourceTimes, ...options.times };
    this.#client = new SourceClient(options.client, this.#times.answerMs);
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { signal, removalsUrl } = this.#options;
    signal.addEventListener('abort', () => this.#attempt.abort(), { once: true });
    const onRemoved = (id: string) => void this.#enqueue(() => ({ name: 'removed', id }));
    const removals = removalsUrl && followRemovals({ url: removalsUrl, signal, onRemoved });
    await this.#enqueue(() => ({ name: 'started' }));
    void this.#enqueue(() => ({ name: 'ladder-due' }));
    const checking = this.#check();
    while (!signal.aborted) {
      this.#attempt = new AbortController();
      for await (const frame of follow(this.#followed())) this.#gather(frame);
    }
    await Promise.all([checking, removals]);
  }

  /** Tells a new tab the state of things. */
  greet(tell: (news: News) => void): void {
    for (const news of greetingOf(this.#state)) tell(news);
  }

  /** Replaces the connection: after sleep, or a change of the network, it may be dead without knowing. */
  wake(): void {
    this.#takeStream({ name: 'woken' });
  }

  #followed(): FollowOptions {
    const from = this.#lastEventId ?? (this.#state.position || undefined);
    return {
      url: this.#options.streamUrl,
      ...(from === undefined ? {} : { lastEventId: from }),
      signal: this.#attempt.signal,
      backoffMaxMs: this.#times.backoffMaxMs,
      silentMs: this.#times.silentMs,
      onOpen: (headers) => this.#takeStream({ name: 'opened', resume: headers.get(headerNames.streamResume) }),
      onDown: (reason) => this.#takeStream({ name: 'lost', reason }),
    };
  }

  #takeStream(event: StreamEvent): void {
    this.#carryOut(takeStream(this.#state, event));
  }

  #gather({ id, event, data }: Frame): void {
    if (event !== streams.deployments.frameName) return;
    this.#lastEventId = id;
    const parsed = eventIn(data);
    if (!parsed) this.#carryOut(takeBoard(this.#state, { name: 'unreadable' }, Date.now()));
    else if (this.#gathered.push(parsed) === 1) {
      const next = () => ({ name: 'events', events: this.#gathered.splice(0) }) as const;
      setTimeout(() => void this.#enqueue(next), this.#times.gatherMs);
    }
  }

  /** Checks the board again and again, until the signal is aborted. */
  async #check(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const ms = linkOf(this.#state) === 'live' ? this.#times.checkMs : this.#times.pollMs;
      const startedAt = Date.now();
      await pause(ms, signal);
      if (Date.now() - startedAt > ms + sleepMs) this.wake();
      if (signal.aborted) return;
      await this.#enqueue(() => ({ name: 'check' }));
      if (!this.#state.ladder) await this.#enqueue(() => ({ name: 'ladder-due' }));
    }
  }

  /** Takes an event of the board in its turn, with all requests that follow from it. */
  #enqueue(eventOf: () => BoardEvent): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      try {
        let request = this.#carryOut(takeBoard(this.#state, eventOf(), Date.now()));
        while (request) {
          const answer = await this.#client.answer(request);
          request = this.#carryOut(takeBoard(this.#state, answer, Date.now()));
        }
      } catch (error) {
        this.#carryOut(takeBoard(this.#state, { name: 'failed', reason: reasonOf(error) }, Date.now()));
      }
    });
    return this.#queue;
  }

  /** Returns what has to be asked next. */
  #carryOut({ state, effects, news, request }: Step): Request | undefined {
    const { signal, tell } = this.#options;
    this.#state = state;
    for (const each of signal.aborted ? [] : news) tell(each);
    if (effects.includes('catch-up')) {
      void this.#enqueue(() => ({ name: 'catch-up', connection: state.connection }));
    }
    if (effects.includes('begin-grace')) {
      clearTimeout(this.#grace);
      this.#grace = setTimeout(() => this.#takeStream({ name: 'grace-over' }), this.#times.graceMs);
    }
    if (effects.includes('reconnect')) this.#attempt.abort();
    return request;
  }
}

/** The event that a frame tells; `undefined` where it cannot be read. */
function eventIn(data: string): DeploymentEvent | undefined {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
