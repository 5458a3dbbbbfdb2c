import { answeredStatus, type Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, type MatrixRow, promotionLadder, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow } from '@shiplog/streams/follow';
import { type Board, boardAfter, boardOf, emptyBoard, withRows } from '../board/board.ts';
import type { Link, News } from './messages.ts';

export interface SourceOptions {
  readonly client: Client;
  readonly streamUrl: string;
  readonly tell: (news: News) => void;
  readonly signal: AbortSignal;
  readonly times?: Partial<SourceTimes>;
}

interface SourceTimes {
  /** Frames of so long make one step of the board. */
  readonly gatherMs: number;
  /** Between two looks whether the log is still the same. */
  readonly checkMs: number;
  /** Between two snapshots while the stream is down. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
}

const defaultTimes: SourceTimes = { gatherMs: 50, checkMs: 10_000, pollMs: 5000, backoffMaxMs: 10_000 };
/** A timer that is late by so much was asleep. */
const sleepMs = 10_000;

/**
 * The board of one browser: a snapshot, and the stream from its `X-Stream-Position` on (reading 3.9), so that nothing is
 * missed or doubled. It runs once for all tabs (`worker.ts`), or in the page where there is no shared worker.
 *
 * ```
 *   snapshot ──► stream from its position ──► step of the board ──► tabs
 *      ▲   stream down: again and again (ETag)      │ a late event: the row of its service is asked for
 *      └── truncated, no position, or cleared ◄─────┘
 * ```
 *
 * What changes the board one at a time goes through one queue, so that a snapshot never overtakes an event.
 */
export class Source {
  readonly #options: SourceOptions;
  readonly #times: SourceTimes;
  #board: Board = emptyBoard;
  #ladder: readonly string[] | undefined;
  /** Of the snapshot, for as long as no event has changed the board. */
  #etag: string | undefined;
  /** The board has everything up to this event, and of some services up to a later one. */
  #position = '';
  readonly #positions = new Map<string, string>();
  /** An event of the log: when it is gone, the log has been cleared. */
  #anchor: string | undefined;
  /** The last event that was there before the stream opened; `undefined` while that is not known. */
  #head: string | undefined;
  #lastEventId: string | undefined;
  #gathered: DeploymentEvent[] = [];
  #queue: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  #isOpen = false;
  /** Why the stream is down, and why the last call failed. */
  #downBy: string | undefined;
  #failedBy: string | undefined;
  /** When the board was last known to be the service's. */
  #asOf = 0;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener('abort', () => this.#attempt.abort(), { once: true });
    await this.#enqueue(() => this.#snapshot());
    void this.#enqueue(() => this.#readLadder());
    const looking = this.#look();
    while (!signal.aborted) {
      this.#attempt = new AbortController();
      for await (const frame of follow(this.#followed())) this.#take(frame);
    }
    await looking;
  }

  /** Tells a tab that has just come where things stand. */
  greet(tell: (news: News) => void): void {
    if (this.#asOf > 0) tell(this.#boardNews());
    tell(this.#linkNews());
  }

  /** After sleep, or a change of the network, a connection may be dead without knowing: another one takes its place. */
  wake(): void {
    this.#attempt.abort();
  }

  #followed(): FollowOptions {
    const from = this.#lastEventId ?? (this.#position || undefined);
    return {
      url: this.#options.streamUrl,
      ...(from === undefined ? {} : { lastEventId: from }),
      signal: this.#attempt.signal,
      backoffMaxMs: this.#times.backoffMaxMs,
      onOpen: (headers) => void this.#enqueue(() => this.#opened(headers.get(headerNames.streamResume))),
      onDown: (reason) => {
        this.#isOpen = false;
        this.#downBy = reason;
        this.#head = undefined;
        this.#tellLink();
      },
    };
  }

  /** What comes after a position that the log still has needs no snapshot; everything else does. */
  async #opened(resume: string | null): Promise<void> {
    this.#isOpen = true;
    this.#head = undefined;
    if (resume === 'replay') this.#head = await this.#readHead();
    else await this.#snapshot();
    this.#head ??= this.#position;
    this.#tellLink();
  }

  #take({ id, event, data }: Frame): void {
    if (event !== streams.deployments.frameName) return;
    this.#lastEventId = id;
    if (this.#gathered.push(JSON.parse(data)) > 1) return;
    setTimeout(() => void this.#enqueue(() => this.#step()), this.#times.gatherMs);
  }

  async #step(): Promise<void> {
    const events = this.#gathered.splice(0);
    const isKnown = ({ id, service }: DeploymentEvent) =>
      id <= this.#position || id <= (this.#positions.get(service) ?? '');
    const { board, changed, unknown } = boardAfter(
      this.#board,
      events.filter((event) => !isKnown(event)),
    );
    const asked = (await Promise.all([...unknown].map((service) => this.#readRows(service)))).flat();
    const rows = [...changed, ...asked];
    this.#board = withRows(board, asked);
    if (rows.length > 0) this.#etag = undefined;
    this.#anchor ??= events[0]?.id;
    this.#asOf = Date.now();
    this.#options.tell({ kind: 'events', events, rows, head: this.#head });
  }

  async #readRows(service: string): Promise<MatrixRow[]> {
    const { body, headers } = await this.#options.client.getMatrix({ query: { service } });
    this.#positions.set(service, headers.get(headerNames.streamPosition) ?? '');
    return body.rows;
  }

  async #snapshot(): Promise<void> {
    const ifNoneMatch = this.#etag === undefined ? {} : { headers: { [headerNames.ifNoneMatch]: this.#etag } };
    const { status, headers, body } = await this.#options.client.getMatrix(ifNoneMatch);
    this.#asOf = Date.now();
    this.#position = headers.get(headerNames.streamPosition) ?? '';
    this.#positions.clear();
    this.#anchor = this.#position || undefined;
    if (status === 304) return;
    this.#etag = headers.get(headerNames.etag) ?? undefined;
    this.#board = boardOf(body);
    this.#options.tell(this.#boardNews());
  }

  /** The order of the columns is the funnel's; a service without analytics (the mock) has the default. */
  async #readLadder(): Promise<void> {
    const stages = await this.#options.client.getPromotionFunnel().then(({ body }) => body.stages, ifGone);
    this.#ladder = stages?.map(({ environment }) => environment) ?? promotionLadder;
    this.#options.tell(this.#boardNews());
  }

  async #readHead(): Promise<string> {
    const { headers } = await this.#options.client.listDeployments({ query: { limit: 1 } });
    return headers.get(headerNames.streamPosition) ?? '';
  }

  /** Looks again and again whether the board is still that of the service, until the signal is aborted. */
  async #look(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const ms = this.#link === 'live' ? this.#times.checkMs : this.#times.pollMs;
      const startedAt = Date.now();
      await pause(ms, signal);
      if (Date.now() - startedAt > ms + sleepMs) this.wake();
      if (!signal.aborted) await this.#enqueue(() => this.#check());
    }
  }

  /** No frame tells that the log was cleared, and a stream that is down tells nothing. */
  async #check(): Promise<void> {
    if (!this.#ladder) await this.#readLadder();
    if (this.#link !== 'live' || !(await this.#hasAnchor())) await this.#snapshot();
  }

  async #hasAnchor(): Promise<boolean> {
    if (this.#anchor === undefined) return false;
    return (await this.#options.client.getDeployment({ params: { id: this.#anchor } }).catch(ifGone)) !== undefined;
  }

  /** One after the other; what fails is told, and the next look begins with a snapshot. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(task).then(
      () => this.#failed(undefined),
      (error) => {
        this.#etag = undefined;
        this.#anchor = undefined;
        this.#failed(error instanceof Error ? error.message : String(error));
      },
    );
    return this.#queue;
  }

  #failed(reason: string | undefined): void {
    const wasAway = this.#failedBy !== undefined;
    this.#failedBy = reason;
    if (reason !== undefined || wasAway || this.#link === 'polling') this.#tellLink();
  }

  get #link(): Link {
    if (this.#failedBy !== undefined) return 'away';
    if (this.#isOpen) return 'live';
    return this.#downBy === undefined ? 'connecting' : 'polling';
  }

  #tellLink(): void {
    if (!this.#options.signal.aborted) this.#options.tell(this.#linkNews());
  }

  #boardNews(): News {
    const { environments, rows } = this.#board;
    return { kind: 'board', environments, rows: [...rows.values()], ladder: this.#ladder ?? promotionLadder };
  }

  #linkNews(): News {
    return { kind: 'link', link: this.#link, reason: this.#failedBy ?? this.#downBy, asOf: this.#asOf };
  }
}

function ifGone(error: unknown): undefined {
  if (answeredStatus(error) !== 404) throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
