import { randomBytes } from 'node:crypto';
import { type Clock, createClient, LogPoster, type Refusal } from '@shiplog/client';
import { companionParts, type FetcherHealth } from '@shiplog/companions';
import { Component, type ComponentWork, type RunningProgram, startProgram } from '@shiplog/component';
import type { FieldError } from '@shiplog/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CalendarRunner } from './calendars/calendar-runner.ts';
import type { FetcherConfig } from './config.ts';
import { healthOf } from './health.ts';
import { serveApi } from './http/app.ts';
import { FetcherMetrics } from './metrics.ts';
import { ownerId } from './sources/cursor-keeper.ts';
import { SourceRunner } from './sources/source-runner.ts';
import { postHookEvents } from './webhooks/hook-publisher.ts';
import { type Hook, openHooks } from './webhooks/hooks.ts';
import { Inbox } from './webhooks/inbox.ts';
import { OutagePoster } from './webhooks/outage-poster.ts';

export interface FetcherOptions {
  readonly config: FetcherConfig;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Returns a number from 0 to 1, for random variation of waits. */
  readonly random?: () => number;
}

/** How long a reset or a stop waits for posts in progress (fetcher §12.1). */
const drainMs = 3000;
/** How long the end of a reset waits for deliveries that arrived during the reset. */
const catchUpMs = 3000;

/** Starts the fetcher. @throws StartError or SettingsError with a sentence that says what to correct. */
export async function startFetcher(options: FetcherOptions): Promise<RunningProgram> {
  const metrics = new FetcherMetrics();
  const http = { metrics: metrics.http, pages: companionParts };
  return startProgram(new Component(options, http, (component) => new Fetching(options, metrics, component)), options);
}

class Fetching implements ComponentWork {
  readonly #options: FetcherOptions;
  readonly #component: Component;
  readonly #metrics: FetcherMetrics;
  readonly #poster: LogPoster;
  readonly #outages: OutagePoster;
  readonly #runners: readonly SourceRunner[];
  readonly #calendars: readonly CalendarRunner[];
  readonly #inbox: Inbox;
  readonly #hooks: ReadonlyMap<string, Hook>;
  /** The errors that were already reported, by what was rejected and its JSON Pointer. */
  readonly #reportedErrors = new Set<string>();

  constructor(options: FetcherOptions, metrics: FetcherMetrics, component: Component) {
    const { config, logger, random } = options;
    const { clock, reports } = component;
    this.#options = options;
    this.#component = component;
    this.#metrics = metrics;
    const client = createClient({ baseUrl: config.baseUrl, keys: { api: config.apiKey } });
    this.#poster = new LogPoster({
      ...{ client, clock, ...(random && { random }) },
      observer: {
        onRefused: (refusal) => this.#skipRefused(refusal),
        onUnknownOutcome: () => metrics.unknownOutcomes.inc(),
        onWait: (error, ms) => this.#serviceAway(error, ms),
      },
    });
    this.#outages = new OutagePoster({
      ...{ client, clock, environments: config.environments },
      onResult: (hook, result) => metrics.outages.inc({ hook, result }),
      onRefused: ({ source, outage_id }, { status, problem }) => {
        const errors = problem?.errors ?? [];
        logger.warn({ source, outage_id, status, errors }, 'the service rejected an outage; skipping it');
        this.#reportErrors('outages', errors, status, outage_id);
      },
      onWait: (error, ms) => this.#serviceAway(error, ms),
    });
    const owner = ownerId(clock.now().getTime(), randomBytes(10));
    const shared = { config, client, poster: this.#poster, clock, logger, reports, metrics, owner };
    this.#runners = config.sources.map((source) => new SourceRunner(source, shared));
    this.#calendars = config.calendars.map((entry) => new CalendarRunner(entry, { client, clock, logger, reports }));
    metrics.onCollect = () => {
      for (const runner of this.#runners) runner.collect();
    };
    this.#inbox = new Inbox(clock, logger);
    this.#hooks = this.#openHooks();
  }

  get summary() {
    const polled = this.#options.config.sources.filter(({ places }) => places.length > 0).map(({ id }) => id);
    const calendars = this.#options.config.calendars.map(({ name }) => name);
    return { polled, webhooks: [...this.#hooks.keys()], ...(calendars.length > 0 && { calendars }) };
  }

  serve(app: FastifyInstance) {
    return serveApi(app, {
      webhooks: {
        hooks: this.#hooks,
        inbox: this.#inbox,
        onDelivery: (hook, result) => this.#metrics.deliveries.inc({ hook, result }),
      },
      health: () => this.#health(),
      isReady: () => this.#component.isPaused || this.#runners.every(({ isReady }) => isReady),
    });
  }

  start(): void {
    for (const runner of [...this.#runners, ...this.#calendars]) runner.start();
  }

  async drain(): Promise<void> {
    await Promise.all([this.#inbox.pause(), this.#halt({ store: false })]);
  }

  async end(options: { readonly store: boolean }): Promise<void> {
    await Promise.all([this.#inbox.stop(), this.#halt(options)]);
  }

  async restart(at: Date): Promise<void> {
    this.#poster.forget();
    for (const runner of this.#runners) runner.restart(at);
    for (const calendar of this.#calendars) calendar.start();
    await this.#catchUp();
  }

  async resume(): Promise<void> {
    this.#poster.forget();
    this.start();
    await this.#catchUp();
  }

  async #halt(options: { readonly store: boolean }): Promise<void> {
    await Promise.all([
      ...this.#runners.map((runner) => runner.halt(options)),
      ...this.#calendars.map((calendar) => calendar.halt()),
      this.#poster.drained(drainMs),
    ]);
  }

  #health(): FetcherHealth {
    return healthOf(this.#component.health, {
      queue: this.#inbox.queue,
      sources: this.#runners.filter(({ isPolled }) => isPolled).map(({ health }) => health),
      calendars: this.#calendars.map(({ health }) => health),
    });
  }

  #openHooks(): ReadonlyMap<string, Hook> {
    const { config } = this.#options;
    const metrics = this.#metrics;
    const onResult = (source: string, result: string) => metrics.events.inc({ source, result });
    const posting = { environments: config.environments, poster: this.#poster, onResult };
    const runner = (id: string) => this.#runners.find((one) => one.config.id === id);
    const sourcesOf = (hook: string) =>
      this.#runners
        .filter((one) => one.config.adapter.webhook?.name === hook)
        .map((one) => ({ id: one.config.id, isPolled: one.isPolled, source: one }));
    return openHooks(config.hooks, {
      sourcesOf,
      sink: {
        postChanges: async (id, changes, signal) => runner(id)?.publish(changes, signal),
        postEvents: (hook, events, signal) => postHookEvents(hook, events, posting, signal),
        postOutages: (hook, rows, signal) => this.#outages.post(hook, rows, signal),
        hint: (id, place) => runner(id)?.hint([place]),
        onLeftOut: onResult,
      },
      now: () => this.#component.clock.now().getTime(),
    });
  }

  async #catchUp(): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.#inbox.resume(), this.#component.clock.sleep(catchUpMs, over.signal)]);
    over.abort();
  }

  /** The service rejects events as invalid (fetcher §5.4): logs each event, and reports each kind of error once. */
  #skipRefused({ event, status, problem }: Refusal): void {
    const { deployment_id, service, environment } = event;
    const errors = problem?.errors ?? [];
    const logged = { deployment_id, service, environment, status, errors };
    this.#options.logger.warn(logged, 'the service rejected an event; skipping it');
    this.#reportErrors('events', errors, status, deployment_id);
  }

  #reportErrors(what: 'events' | 'outages', errors: readonly FieldError[], status: number, example: string): void {
    const isDetailed = errors.length > 0;
    for (const { pointer, message } of isDetailed ? errors : [{ pointer: '', message: `is refused (${status})` }]) {
      const key = `${what} ${pointer}`;
      if (this.#reportedErrors.has(key)) continue;
      this.#reportedErrors.add(key);
      const sentence = `The service rejects ${what}: ${pointer || 'the body'} ${message}. Skipped, for example: ${example}.`;
      this.#component.reports.failed('posts', sentence);
    }
  }

  #serviceAway(error: unknown, ms: number): void {
    this.#options.logger.warn({ err: error }, `the service did not accept a post; retrying in ${Math.round(ms)} ms`);
    for (const runner of this.#runners) runner.serviceAway();
  }
}
