import type { Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, type MatrixRow, streams } from '@shiplog/contract';
import { type FollowOptions, type Frame, follow, pause } from '@shiplog/streams/follow';
import { type Board, boardAfter, emptyBoard, rowsBetween, withRows } from '../board/board.ts';
import type { Link, News } from './messages.ts';
import { eventIn, reasonOf, SourceClient } from './source-client.ts';
import { type SourceTimes, sourceTimes } from './source-times.ts';

export interface SourceOptions {
  readonly client: Client;
  readonly streamUrl: string;
  readonly tell: (news: News) => void;
  readonly signal: AbortSignal;
  readonly times?: Partial<SourceTimes>;
}

/** A timer that is late by so much was asleep. */
const sleepMs = 10_000;
/** Of so many services the rows are asked for one by one; of more, the whole board. */
const askedRowsMax = 8;

/**
 * The board of one browser: a snapshot, and the stream from its `X-Stream-Position` on (reading 3.9), so that nothing is
 * missed or doubled. It runs once for all tabs (`worker.ts`), or in the page where there is no shared worker.
 *
 * ```
 *   snapshot ──► stream from its position ──► step of the board ──► tabs
 *      ▲   stream down: again and again (ETag)      │ a late event: the row of its service is asked for
 *      └── truncated, no position, cleared, failed ◄┘
 * ```
 *
 * What changes the board goes one at a time through a queue, so that a snapshot never overtakes an event. Whatever fails
 * leaves the board stale, and only a snapshot ends that: the board is called live only while it is known to be right.
 */
export class Source {
  readonly #options: SourceOptions;
  readonly #times: SourceTimes;
  readonly #questions: SourceClient;
  #board: Board = emptyBoard;
  #ladder: readonly string[] | undefined;
  /** The board may lack something. */
  #isStale = true;
  /** When the board was last known to be the service's; 0 = never. */
  #asOf = 0;
  #snapshotAt = 0;
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
  /** The open connection; `undefined` while the stream is down. */
  #connection: symbol | undefined;
  /** Runs while a stream that is down may still come back unnoticed. */
  #grace: ReturnType<typeof setTimeout> | undefined;
  /** Why the stream is down, and why the last call failed. */
  #downBy: string | undefined;
  #failedBy: string | undefined;
  #toldLink = '';

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#times = { ...sourceTimes, ...options.times };
    this.#questions = new SourceClient(options.client, this.#times.answerMs);
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener('abort', () => this.#attempt.abort(), { once: true });
    await this.#enqueue(() => this.#jump());
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
    if (this.#ladder) tell({ kind: 'ladder', ladder: this.#ladder });
    if (this.#asOf > 0) tell(this.#boardNews());
    tell(this.#linkNews());
    const told = this.#lastEventId ?? '';
    if (this.#asOf > 0) tell({ kind: 'missed', upTo: told > this.#position ? told : this.#position });
  }

  /** After sleep, or a change of the network, a connection may be dead without knowing: another one takes its place. */
  wake(): void {
    this.#head = undefined;
    this.#endGrace();
    this.#isDown('connecting anew');
    this.#attempt.abort();
  }

  #followed(): FollowOptions {
    const from = this.#lastEventId ?? (this.#position || undefined);
    return {
      url: this.#options.streamUrl,
      ...(from === undefined ? {} : { lastEventId: from }),
      signal: this.#attempt.signal,
      backoffMaxMs: this.#times.backoffMaxMs,
      silentMs: this.#times.silentMs,
      onOpen: (headers) => {
        const connection = Symbol('connection');
        this.#connection = connection;
        this.#head = undefined;
        void this.#enqueue(() => this.#opened(connection, headers.get(headerNames.streamResume)));
      },
      onDown: (reason) => this.#isDown(reason),
    };
  }

  /** What comes after a position that the log still has needs no snapshot; everything else does. */
  async #opened(connection: symbol, resume: string | null): Promise<void> {
    if (this.#connection !== connection) return;
    if (resume === 'truncated') this.#options.tell({ kind: 'cleared' });
    if (resume !== 'replay') await this.#jump();
    else if (this.#isStale) await this.#snapshot();
    this.#isLive(connection, resume === 'replay' ? await this.#questions.head() : this.#position);
  }

  /** From this head on, as long as the connection is there. */
  #isLive(connection: symbol, head: string): void {
    if (this.#connection !== connection) return;
    this.#head = head;
    this.#endGrace();
  }

  #isDown(reason: string): void {
    if (this.#head !== undefined) {
      this.#grace = setTimeout(() => {
        this.#grace = undefined;
        this.#tellLink();
      }, this.#times.graceMs);
    }
    this.#connection = undefined;
    this.#downBy = reason;
    this.#head = undefined;
    if (!this.#grace) this.#tellLink();
  }

  #endGrace(): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
  }

  #take({ id, event, data }: Frame): void {
    if (event !== streams.deployments.frameName) return;
    this.#lastEventId = id;
    const parsed = eventIn(data);
    // What cannot be read may have changed anything.
    if (!parsed) this.#isStale = true;
    else if (this.#gathered.push(parsed) === 1) {
      setTimeout(() => void this.#enqueue(() => this.#step()), this.#times.gatherMs);
    }
  }

  async #step(): Promise<void> {
    const events = this.#gathered.splice(0);
    const isKnown = ({ id, service }: DeploymentEvent) =>
      id <= this.#position || id <= (this.#positions.get(service) ?? '');
    // A stale board is about to be replaced by a snapshot that has all of these.
    const news = this.#isStale ? [] : events.filter((event) => !isKnown(event));
    const { board, changed, unknown } = boardAfter(this.#board, news);
    this.#anchor ??= events[0]?.id;
    this.#become(board, changed);
    this.#options.tell({ kind: 'events', events, rows: changed, head: this.#head });
    if (unknown.size > askedRowsMax) await this.#snapshot();
    else if (unknown.size > 0) await this.#askRows(unknown);
    if (!this.#isStale) this.#asOf = Date.now();
  }

  async #askRows(services: ReadonlySet<string>): Promise<void> {
    const rows: MatrixRow[] = [];
    for (const service of services) {
      const answer = await this.#questions.row(service);
      this.#positions.set(service, answer.position);
      rows.push(...answer.rows);
    }
    this.#become(withRows(this.#board, rows), rows);
    this.#options.tell({ kind: 'events', events: [], rows, head: this.#head });
  }

  #become(board: Board, changed: readonly MatrixRow[]): void {
    this.#board = board;
    if (changed.length > 0) this.#etag = undefined;
  }

  async #snapshot(): Promise<void> {
    const { board: after, etag, position } = await this.#questions.snapshot(this.#etag);
    this.#asOf = this.#snapshotAt = Date.now();
    this.#isStale = false;
    this.#etag = etag;
    this.#position = position;
    this.#positions.clear();
    this.#anchor = position || undefined;
    if (!after) return;
    const before = this.#board;
    const rows = before === emptyBoard ? undefined : rowsBetween(before, after);
    this.#board = after;
    if (!rows) this.#options.tell(this.#boardNews());
    else if (rows.length > 0) this.#options.tell({ kind: 'events', events: [], rows, head: this.#head });
  }

  /** A snapshot where no stream tells what has happened since the one before. */
  async #jump(): Promise<void> {
    await this.#snapshot();
    this.#options.tell({ kind: 'missed', upTo: this.#position });
  }

  async #readLadder(): Promise<void> {
    this.#ladder = await this.#questions.ladder();
    this.#options.tell({ kind: 'ladder', ladder: this.#ladder });
  }

  /** Looks again and again whether the board is still that of the service, until the signal is aborted. */
  async #look(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const ms = this.#link === 'live' ? this.#times.checkMs : this.#times.pollMs;
      const startedAt = Date.now();
      await pause(ms, signal);
      if (Date.now() - startedAt > ms + sleepMs) this.wake();
      if (signal.aborted) return;
      await this.#enqueue(() => this.#check());
      if (!this.#ladder) await this.#enqueue(() => this.#readLadder());
    }
  }

  /** No frame tells that the log was cleared or pruned, and a stream that is down tells nothing. */
  async #check(): Promise<void> {
    const isDue = Date.now() - this.#snapshotAt > this.#times.snapshotMs;
    const isCleared = this.#anchor !== undefined && !(await this.#questions.hasEvent(this.#anchor));
    if (isCleared) this.#options.tell({ kind: 'cleared' });
    if (isDue || isCleared || this.#link !== 'live' || this.#anchor === undefined) {
      await (this.#connection ? this.#snapshot() : this.#jump());
    }
    const connection = this.#connection;
    if (connection && this.#head === undefined) this.#isLive(connection, await this.#questions.head());
    this.#asOf = Date.now();
    if (this.#link !== 'live') this.#tellLink();
  }

  /** One after the other; what fails is told, and leaves the board stale until the next look takes a snapshot. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(task).then(
      () => {
        this.#failedBy = undefined;
        this.#tellLinkOnce();
      },
      (error) => {
        this.#isStale = true;
        this.#failedBy = reasonOf(error);
        this.#tellLinkOnce();
      },
    );
    return this.#queue;
  }

  get #link(): Link {
    if (this.#failedBy !== undefined) return 'away';
    if ((this.#head !== undefined || this.#grace) && !this.#isStale) return 'live';
    return this.#downBy === undefined ? 'connecting' : 'polling';
  }

  #tellLinkOnce(): void {
    if (this.#link !== this.#toldLink) this.#tellLink();
  }

  #tellLink(): void {
    this.#toldLink = this.#link;
    if (!this.#options.signal.aborted) this.#options.tell(this.#linkNews());
  }

  #boardNews(): News {
    const { environments, rows } = this.#board;
    return { kind: 'board', environments, rows: [...rows.values()] };
  }

  #linkNews(): News {
    return { kind: 'link', link: this.#link, reason: this.#failedBy ?? this.#downBy, asOf: this.#asOf };
  }
}
