import type { Client, Clock, LogPoster } from '@shiplog/client';
import { fetcherLimits, type SourceHealth, type SourceOutcome } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';
import type { DeploymentEventIngest } from '@shiplog/contract';
import type { Logger } from 'pino';
import type { Delivery, Received, Source } from '../adapter.ts';
import type { Change, Json } from '../change.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { FetcherConfig } from '../config.ts';
import { warningOf } from '../health.ts';
import type { FetcherMetrics } from '../metrics.ts';
import type { ToolConnection } from '../tool/tool-connection.ts';
import { CursorKeeper } from './cursor-keeper.ts';
import { connectTo, openSource } from './open-source.ts';
import { Publisher } from './publisher.ts';
import { type Failure, SourceLoop } from './source-loop.ts';

export interface RunnerParts {
  readonly config: FetcherConfig;
  readonly client: Client;
  readonly poster: LogPoster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reports: Reports;
  readonly metrics: FetcherMetrics;
  /** The id of this process in cursors. */
  readonly owner: string;
}

interface Opened {
  readonly source: Source;
  readonly publisher: Publisher;
  readonly keeper: CursorKeeper;
  readonly loop: SourceLoop;
}

/** Runs one source: its connection, adapter and loop, and its state for health, metrics and reports. */
export class SourceRunner {
  readonly config: SourceConfig;
  readonly #parts: RunnerParts;
  readonly #log: Logger;
  readonly #connection: ToolConnection;
  readonly #state: SourceState;
  readonly #isNewStatus = firstTimes();
  readonly #isNewFutureSlot = firstTimes();
  #opened: Opened;
  /** Whether `BACKFILL=true` hasn't taken effect yet. */
  #isToFillUp: boolean;
  /** The instant of a reset with `AFTER_RESET=now`; earlier changes are ignored. */
  #startingAt: Date | undefined;

  constructor(config: SourceConfig, parts: RunnerParts) {
    this.config = config;
    this.#parts = parts;
    this.#log = parts.logger.child({ source: config.id });
    this.#isToFillUp = parts.config.backfill;
    const { clock, metrics, reports } = parts;
    this.#connection = connectTo(config, {
      ...{ clock, requestsPerMinute: parts.config.requestsPerMinute },
      observer: {
        onAnswer: ({ code, charged }) =>
          metrics.requests.inc({ source: config.id, code: String(code), charged: String(charged) }),
      },
    });
    const onFailed = (sentence: string) => {
      this.#log.error(sentence);
      reports.failed(config.id, sentence);
    };
    this.#state = new SourceState(clock, onFailed, () => {
      this.#log.info('the source works again');
      reports.recovered(config.id);
    });
    this.#opened = this.#open();
  }

  get isPolled(): boolean {
    return this.config.places.length > 0;
  }

  start(): void {
    if (this.isPolled) this.#opened.loop.start();
  }

  /** Resolves when nothing is in progress except posts by the poster. */
  halt(options: { readonly store: boolean }): Promise<void> {
    return this.#opened.loop.halt(options);
  }

  /** Starts over after the log was cleared, but keeps the number of counted requests. */
  restart(at: Date): void {
    this.#connection.forget();
    this.#begins(at);
    this.#opened = this.#open();
    this.start();
  }

  hint(places: Iterable<string>): void {
    if (this.isPolled) this.#opened.loop.hint(places);
  }

  /** `undefined` if the delivery isn't for this source. @throws what the source throws. */
  async receive(delivery: Delivery, signal: AbortSignal): Promise<Received | undefined> {
    return this.#opened.source.receive?.(delivery, signal);
  }

  publish(changes: readonly Change[], signal: AbortSignal): Promise<void> {
    return this.#opened.publisher.publish(changes, signal);
  }

  /** Records that its events wait for the service. */
  serviceAway(): void {
    const sentence = 'The service does not accept posts. Events wait until it does.';
    if (this.isPolled) this.#state.failed({ outcome: 'error', sentence, isToolAway: false });
  }

  get isReady(): boolean {
    return !this.#state.isFailing;
  }

  get health(): SourceHealth {
    const { reachable, lastOutcome, lastSuccessAt, lastError } = this.#state;
    const figures = this.#opened.loop.figures;
    return {
      id: this.config.id,
      reachable,
      last_outcome: lastOutcome,
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      last_error: lastError ?? (figures ? warningOf(figures) : null),
      backfill: figures?.backfill ?? null,
      lag_seconds: this.#lagSeconds,
      open: figures?.open ?? 0,
      forbidden: figures?.forbidden.slice(0, fetcherLimits.forbiddenShown) ?? [],
      failing: (figures?.failing ?? []).slice(0, fetcherLimits.failingShown).map(({ name, sinceMs, why }) => {
        return { name, since: new Date(sinceMs).toISOString(), why };
      }),
      rate_limit: this.#connection.rateLimit,
    };
  }

  collect(): void {
    const { metrics } = this.#parts;
    const source = this.config.id;
    const seconds = this.#lagSeconds;
    const { failing = [], forbidden = [] } = this.#opened.loop.figures ?? {};
    if (seconds !== null) metrics.lagSeconds.set({ source }, seconds);
    if (!this.isPolled) return;
    metrics.failingRepositories.set({ source }, failing.length);
    metrics.forbiddenRepositories.set({ source }, forbidden.length);
  }

  get #lagSeconds(): number | null {
    const oldestMs = this.#opened.loop.figures?.oldestPollMs;
    return oldestMs === undefined ? null : Math.max(0, this.#connection.now() - oldestMs) / 1000;
  }

  #open(): Opened {
    const { config, client, clock, owner, poster, metrics } = this.#parts;
    const { id, idPrefix } = this.config;
    const connection = this.#connection;
    const onResult = (result: string) => metrics.events.inc({ source: id, result });
    const { source, mapping } = openSource(this.config, {
      ...{ connection, clock, log: this.#log },
      ...{ times: config.times, rules: config.rules, environments: config.environments },
      unknownStatus: (status) => {
        onResult('unknown_status');
        if (this.#isNewStatus(status)) this.#log.warn({ status }, 'unknown status, skipped');
      },
    });
    const reporter = `${fetcherLimits.componentId}/${id}`;
    const onFutureEvent = ({ service, environment }: DeploymentEventIngest, minutes: number) => {
      if (!this.#isNewFutureSlot(JSON.stringify([service, environment]))) return;
      this.#log.warn(
        { service, environment, minutes },
        'an event is dated in the future; check the clock of its CI server',
      );
    };
    const publisher = new Publisher({ source, mapping, idPrefix, reporter, poster, clock, onResult, onFutureEvent });
    const keeper = new CursorKeeper({ client, adapter: id, owner, clock, quota: connection });
    const loop = new SourceLoop({
      ...{ source, keeper, clock, connection, log: this.#log, state: this.#state },
      intervalMs: config.pollIntervalSeconds * 1000,
      begin: (memory) => this.#begin(source, memory),
      // A rejected key is retried once per cycle (fetcher §5.4).
      onCycleStart: () => poster.allow(),
      onCycleEnd: (seconds) => metrics.cycleSeconds.observe({ source: id }, seconds),
      publish: (changes, signal) => publisher.publish(changes, signal),
      forgetLog: () => poster.forget(),
      onCleared: () => this.#cleared(),
      onAttempt: () => this.#measure(),
      onProgress: () => this.#report(),
    });
    return { source, publisher, keeper, loop };
  }

  #begin(source: Source, memory: Json | undefined): Json {
    const { initialLookbackMs, times } = this.#parts.config;
    if (memory === undefined && this.#startingAt) return source.startingAt(this.#startingAt);
    const isToFillUp = this.#isToFillUp;
    this.#isToFillUp = false;
    if (memory !== undefined && !isToFillUp) return memory;
    const horizonMs = isToFillUp ? times.backfillMaxAgeMs : initialLookbackMs;
    return source.begin(new Date(this.#connection.now() - horizonMs), memory);
  }

  /** Handles a reset that the control stream didn't announce. */
  #cleared(): void {
    this.#log.warn('the cursor is gone, so the log was cleared; starting over');
    this.#parts.poster.forget();
    this.#begins(new Date(this.#connection.now()));
  }

  /** Sets how a source begins after its log was cleared. */
  #begins(at: Date): void {
    this.#startingAt = this.#parts.config.afterReset === 'now' ? at : undefined;
  }

  #measure(): void {
    const { metrics } = this.#parts;
    const { id } = this.config;
    const { loop, keeper } = this.#opened;
    metrics.openDeployments.set({ source: id }, loop.figures?.open ?? 0);
    metrics.cursorBytes.set({ source: id }, keeper.bytes);
  }

  #report(): void {
    const adapter = this.config.id;
    const limit = this.#connection.rateLimit;
    // The limit is unknown before the first successful cycle; afterwards a tool without limits has nulls (fetcher
    // §7.4).
    if (!limit && this.#state.lastSuccessAt === null) return;
    const { used = null, budget = null, reset_at = null, ci_limit = null, ci_remaining = null } = limit ?? {};
    this.#parts.reports.rateLimit({ adapter, ci_limit, ci_remaining, own_budget: budget, own_used: used, reset_at });
  }
}

const loggedMax = 100;

/** Whether a key is new; always false after 100 keys. */
function firstTimes(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => seen.size < loggedMax && seen.size < seen.add(key).size;
}

/** The state of a source, for health, readiness and reports. */
export class SourceState {
  readonly #clock: Clock;
  readonly #onFailed: (sentence: string) => void;
  readonly #onRecovered: () => void;
  /** Whether the tool answered the last request; null before the first. */
  reachable: boolean | null = null;
  lastOutcome: SourceOutcome | null = null;
  lastSuccessAt: Date | null = null;
  lastError: string | null = null;

  /** @param onFailed called if the source begins to fail, or fails for a different reason than before */
  constructor(clock: Clock, onFailed: (sentence: string) => void, onRecovered: () => void) {
    this.#clock = clock;
    this.#onFailed = onFailed;
    this.#onRecovered = onRecovered;
  }

  succeeded(): void {
    const wasFailing = this.isFailing;
    this.reachable = true;
    this.lastOutcome = 'ok';
    this.lastError = null;
    this.lastSuccessAt = this.#clock.now();
    if (wasFailing) this.#onRecovered();
  }

  failed({ outcome, sentence, isToolAway }: Failure): void {
    const isKnown = this.isFailing && this.lastError === sentence;
    this.reachable = !isToolAway;
    this.lastOutcome = outcome;
    this.lastError = sentence;
    if (this.isFailing && !isKnown) this.#onFailed(sentence);
  }

  get isFailing(): boolean {
    return this.lastOutcome === 'auth_failed' || this.lastOutcome === 'error';
  }
}
