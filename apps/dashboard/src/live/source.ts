import { type Client, createClient } from '@shiplog/client';
import { type DeploymentEvent, headerNames, holdReport, outageReport, removalReport, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow, pause } from '@shiplog/streams/follow';
import { FactsSource } from './facts-source.ts';
import type { TabMessage } from './messages.ts';
import { asksForSignIn, Reader, sessionEnded, watchedFetch } from './reader.ts';
import { withServerClock } from './server-clock.ts';
import { failureClause, type Request, SourceClient } from './source-client.ts';
import { type BoardEvent, greetingOf, initialState, linkOf, type Step, takeBoard, takeStream } from './source-state.ts';
import { type SourceTimes, sourceTimes } from './source-times.ts';
import type { StreamEvent } from './stream-table.ts';

export interface SourceOptions {
  readonly client: Client;
  readonly streamUrl: string;
  readonly reportsUrl?: string;
  readonly send: (message: TabMessage) => void;
  readonly signal: AbortSignal;
  /** Called when the stream is refused or ended, because the reader's session may have ended. */
  readonly onRefused?: () => void;
  readonly times?: Partial<SourceTimes>;
}

/** The timeout of a request. It is long because a board with thousands of slots takes time on a slow network. */
const timeoutMs = 60_000;

const changesBoard: ReadonlySet<TabMessage['kind']> = new Set(['board', 'events', 'removed', 'cleared']);

/** Starts the source of a browser or a tab; it runs until the session, the worker or the page ends. */
export function startSource(
  baseUrl: string,
  send: (message: TabMessage) => void,
  onEnded: () => void = () => undefined,
): Pick<Source, 'greet' | 'wake'> & Pick<FactsSource, 'seen'> & { doubt(): void } {
  let clock: TabMessage | undefined;
  const over = new AbortController();
  const { signal } = over;
  const watched = watchedFetch((answer) => {
    if (asksForSignIn(answer)) doubt();
    // Responses are private only where reads are guarded.
    else if (!reader.known && answer.headers.get('cache-control')?.startsWith('private')) void learn();
  });
  const client = withServerClock(createClient({ baseUrl, timeoutMs, fetch: watched }), (offsetMs) => {
    clock = { kind: 'clock', offsetMs };
    send(clock);
  });
  const reader = new Reader(createClient({ baseUrl }));
  const learn = async () => {
    const known = await reader.learn();
    if (known) send({ kind: 'reader', reader: known });
  };
  const facts = new FactsSource(client, send);
  const source = new Source({
    client,
    streamUrl: `${baseUrl}${streams.deployments.path}`,
    reportsUrl: `${baseUrl}${streams.components.path}`,
    send: (message) => {
      send(message);
      if (changesBoard.has(message.kind)) facts.changed();
    },
    signal,
    onRefused: () => doubt(),
  });
  let isDoubting = false;
  const doubt = async () => {
    if (isDoubting || signal.aborted) return;
    isDoubting = true;
    if (await reader.hasEnded()) {
      source.end();
      over.abort();
      onEnded();
    }
    isDoubting = false;
  };
  void source.run();
  return {
    greet: (sendOne) => {
      if (clock) sendOne(clock);
      if (reader.known) sendOne({ kind: 'reader', reader: reader.known });
      facts.greet(sendOne);
      source.greet(sendOne);
    },
    wake: () => source.wake(),
    seen: () => signal.aborted || facts.seen(),
    doubt,
  };
}

/** If a timer is this late, the machine was asleep. */
const sleepMs = 10_000;

/**
 * Keeps the board of one browser: loads a snapshot and follows the stream from its `X-Stream-Position` (reading 3.9),
 * which neither misses an event nor counts it twice. `stream-table.ts` and `source-state.ts` decide what each event
 * causes; this class runs the stream, the requests, the timers and the queue.
 */
export class Source {
  readonly #options: SourceOptions;
  readonly #times: SourceTimes;
  readonly #client: SourceClient;
  #state = initialState;
  #queue: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  #grace: ReturnType<typeof setTimeout> | undefined;
  #lostAt: number | undefined;
  #gathered: DeploymentEvent[] = [];
  #lastEventId: string | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#times = { ...sourceTimes, ...options.times };
    this.#client = new SourceClient(options.client, this.#times.answerMs);
  }

  async run(): Promise<void> {
    const { signal, reportsUrl, send } = this.#options;
    signal.addEventListener('abort', () => this.#attempt.abort(), { once: true });
    const onReport = (report: Report) => {
      if (report === 'notices-changed') send({ kind: report });
      else void this.#enqueue(() => ({ name: 'removed', id: report.removed }));
    };
    const reports = reportsUrl && followReports(reportsUrl, signal, onReport);
    await this.#enqueue(() => ({ name: 'started' }));
    const checking = this.#check();
    while (!signal.aborted) {
      this.#attempt = new AbortController();
      for await (const frame of follow(this.#followed())) this.#gather(frame);
    }
    await Promise.all([checking, reports]);
  }

  greet(send: (message: TabMessage) => void): void {
    for (const message of greetingOf(this.#state)) send(message);
  }

  /** Reconnects: after sleep or a network change, a connection may be dead without an error. */
  wake(): void {
    this.#takeStream({ name: 'woken' });
  }

  /** Tells the tabs that no more messages follow. */
  end(): void {
    const { asOf } = this.#state;
    const isLive = linkOf(this.#state) === 'live';
    this.#options.send({ kind: 'link', link: 'ended', reason: undefined, asOf: isLive ? Date.now() : asOf });
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
      onDown: (reason) => {
        if (/^answered (401|0)$/.test(reason)) this.#options.onRefused?.();
        this.#takeStream({ name: 'lost', reason });
      },
    };
  }

  #takeStream(event: StreamEvent): void {
    this.#carryOut(takeStream(this.#state, event));
  }

  /** Checks at once whether only the stream is down, so that tabs learn of an outage within seconds. */
  #endGrace(): void {
    this.#takeStream({ name: 'grace-over' });
    if (linkOf(this.#state) !== 'live') void this.#enqueue(() => ({ name: 'check' }));
  }

  #gather({ id, event, data }: Frame): void {
    if (event === sessionEnded) this.#options.onRefused?.();
    if (event !== streams.deployments.frameName) return;
    this.#lastEventId = id;
    const parsed = eventOf(data);
    if (!parsed) this.#carryOut(takeBoard(this.#state, { name: 'unreadable' }, Date.now()));
    else if (this.#gathered.push(parsed) === 1) {
      const next = () => ({ name: 'events', events: this.#gathered.splice(0) }) as const;
      setTimeout(() => void this.#enqueue(next), this.#times.gatherMs);
    }
  }

  /** Checks the board at intervals until the signal is aborted. */
  async #check(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const ms = linkOf(this.#state) === 'live' ? this.#times.checkMs : this.#times.pollMs;
      const startedAt = Date.now();
      await pause(ms, signal);
      if (Date.now() - startedAt > ms + sleepMs) this.wake();
      if (signal.aborted) return;
      await this.#enqueue(() => ({ name: 'check' }));
    }
  }

  /** Applies an event after those in the queue, and waits for all requests that it causes. */
  #enqueue(eventOf: () => BoardEvent): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      try {
        let request = this.#carryOut(takeBoard(this.#state, eventOf(), Date.now()));
        while (request) {
          const answer = await this.#client.answer(request);
          request = this.#carryOut(takeBoard(this.#state, answer, Date.now()));
        }
      } catch (error) {
        this.#carryOut(takeBoard(this.#state, { name: 'failed', reason: failureClause(error) }, Date.now()));
      }
    });
    return this.#queue;
  }

  #carryOut({ state, effects, messages, request }: Step): Request | undefined {
    const { signal, send } = this.#options;
    this.#state = state;
    if (effects.includes('begin-grace')) this.#lostAt = Date.now();
    if (effects.includes('catch-up') || effects.includes('reconnect')) this.#lostAt = undefined;
    for (const each of signal.aborted ? [] : messages) {
      send(each.kind === 'link' ? { ...each, lostAt: this.#lostAt } : each);
    }
    if (effects.includes('catch-up')) {
      void this.#enqueue(() => ({ name: 'catch-up', connection: state.connection }));
    }
    if (effects.includes('begin-grace')) {
      clearTimeout(this.#grace);
      this.#grace = setTimeout(() => this.#endGrace(), this.#times.graceMs);
    }
    if (effects.includes('reconnect')) this.#attempt.abort();
    return request;
  }
}

function eventOf(data: string): DeploymentEvent | undefined {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Reports what the service says of itself: removed events (reading 8.7), changed holds (holds.md 2.3) and outages. */
async function followReports(url: string, signal: AbortSignal, onReport: (report: Report) => void): Promise<void> {
  for await (const { event, data } of follow({ url, signal })) {
    const report = event === streams.components.frameName ? reportIn(data) : undefined;
    if (report) onReport(report);
  }
}

/** The id of a removed event, or that a hold or an outage has changed. */
export type Report = { readonly removed: string } | 'notices-changed';

export function reportIn(data: string): Report | undefined {
  try {
    const { component_id, event_type, payload } = JSON.parse(data);
    const isOf = (known: { readonly componentId: string; readonly eventType: string }) =>
      component_id === known.componentId && event_type === known.eventType;
    if (isOf(holdReport) || isOf(outageReport)) return 'notices-changed';
    return isOf(removalReport) && typeof payload?.id === 'string' ? { removed: payload.id } : undefined;
  } catch {
    return undefined;
  }
}
