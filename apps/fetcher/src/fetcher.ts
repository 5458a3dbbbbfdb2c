import { randomBytes } from 'node:crypto';
import { type Clock, createClient, LogPoster, systemClock } from '@shiplog/client';
import { type FetcherHealth, fixedHooks } from '@shiplog/companions';
import { followResets, Reports, ResetPart } from '@shiplog/component';
import { listen, type Stoppable, stopOnce } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { FetcherConfig } from './config.ts';
import { ownerId } from './domain/owner.ts';
import { healthOf } from './health.ts';
import { createApp } from './http/app.ts';
import { FetcherMetrics } from './metrics.ts';
import { RefusedEvents } from './refused-events.ts';
import { SourceRunner } from './sources/source-runner.ts';
import { HookPublisher } from './webhooks/hook-publisher.ts';
import { type Hook, openHooks } from './webhooks/hooks.ts';
import { Inbox } from './webhooks/inbox.ts';

export interface Fetcher extends Stoppable {
  /** Where it listens. */
  readonly url: string;
}

export interface FetcherOptions {
  readonly config: FetcherConfig;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** A number from 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
}

/** How long posts under way may last in a reset and at a stop (fetcher §12.1). */
const drainMs = 3000;
/** How long the end of a reset waits for the deliveries that came during it. */
const catchUpMs = 3000;

/**
 * Starts the fetcher.
 * @throws StartError or SettingsError with a sentence that tells the user what to correct.
 */
export async function startFetcher(options: FetcherOptions): Promise<Fetcher> {
  const { config, logger } = options;
  const parts = new FetcherParts(options);
  const app = await parts.createApp();
  const url = await listen(app, config);
  parts.start();
  const polled = config.sources.filter(({ places }) => places.length > 0).map(({ id }) => id);
  logger.info(
    { url, polled, webhooks: parts.hookNames, service: config.baseUrl },
    `ready: ${url}/health tells how it does`,
  );
  return { url, stop: stopOnce(() => parts.stop(app)) };
}

/** Sources, webhooks and the part in resets, on one poster. */
class FetcherParts {
  readonly #options: FetcherOptions;
  readonly #clock: Clock;
  readonly #startedAt: Date;
  readonly #metrics = new FetcherMetrics();
  readonly #poster: LogPoster;
  readonly #reports: Reports;
  readonly #runners: readonly SourceRunner[];
  readonly #inbox: Inbox;
  readonly #hooks: ReadonlyMap<string, Hook>;
  readonly #reset: ResetPart;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(options: FetcherOptions) {
    const { config, logger, clock = systemClock, random } = options;
    const { baseUrl, apiKey, componentId } = config;
    const metrics = this.#metrics;
    this.#options = options;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#reports = new Reports({ baseUrl, apiKey, componentId, clock, logger });
    const client = createClient({ baseUrl, keys: { api: apiKey } });
    const refused = new RefusedEvents({ log: logger, onNew: (sentence) => this.#reports.bad('posts', sentence) });
    this.#poster = new LogPoster({
      ...{ client, clock, ...(random && { random }) },
      observer: {
        onRefused: (refusal) => refused.add(refusal),
        onUnknownOutcome: () => metrics.unknownOutcomes.inc(),
        onWait: (error, ms) => this.#serviceAway(error, ms),
      },
    });
    const owner = ownerId(this.#startedAt.getTime(), randomBytes(10));
    const shared = { config, client, poster: this.#poster, clock, logger, reports: this.#reports, metrics, owner };
    this.#runners = config.sources.map((source) => new SourceRunner(source, shared));
    metrics.onCollect = () => {
      for (const runner of this.#runners) runner.collect();
    };
    this.#inbox = new Inbox({ clock, log: logger });
    this.#hooks = this.#openHooks();
    this.#reset = new ResetPart({
      ...{ clock, logger, ttlMs: config.resetGateMaxTtlMs },
      drain: () => this.#drain(),
      ack: (resetId) => this.#reports.ack(resetId),
      restart: (resetId, at) => this.#restart(resetId, at),
      resume: () => this.#resume(),
    });
  }

  get hookNames(): string[] {
    return [...this.#hooks.keys()];
  }

  createApp(): Promise<FastifyInstance> {
    const { config, logger } = this.#options;
    const metrics = this.#metrics;
    return createApp({
      ...{ problemBase: config.problemBase, logger, metrics },
      webhooks: {
        hooks: this.#hooks,
        inbox: this.#inbox,
        onDelivery: (hook, result) => metrics.deliveries.inc({ hook, result }),
      },
      health: () => this.#health(),
      isReady: () => this.#reset.isPaused || this.#runners.every(({ isReady }) => isReady),
    });
  }

  start(): void {
    this.#reports.start();
    this.#following = followResets(this.#reset, this.#options.config, {
      logger: this.#options.logger,
      signal: this.#stopping.signal,
    });
    for (const runner of this.#runners) runner.start();
  }

  /** Ends what is under way within a few seconds, and stores the cursors. */
  async stop(app: FastifyInstance): Promise<void> {
    this.#stopping.abort();
    const isPaused = this.#reset.isPaused;
    const closed = app.close();
    await Promise.all([
      this.#inbox.stop(),
      ...this.#runners.map((runner) => runner.halt({ store: !isPaused })),
      this.#poster.drained(drainMs),
    ]);
    await Promise.all([this.#reset.stop(), this.#following, closed]);
    await this.#reports.stop();
  }

  #health(): FetcherHealth {
    return healthOf({
      componentId: this.#options.config.componentId,
      startedAt: this.#startedAt,
      isPaused: this.#reset.isPaused,
      queue: this.#inbox.queue,
      sources: this.#runners.filter(({ isPolled }) => isPolled).map(({ health }) => health),
    });
  }

  #openHooks(): ReadonlyMap<string, Hook> {
    const { config } = this.#options;
    const metrics = this.#metrics;
    const onResult = (source: string, result: string) => metrics.events.inc({ source, result });
    const { environments } = config;
    const publisher = new HookPublisher({ environments, poster: this.#poster, onResult });
    const runner = (id: string) => this.#runners.find((one) => one.config.id === id);
    const takers = (hook: string) =>
      this.#runners
        .filter((one) => one.config.adapter.hook?.name === hook)
        .map((one) => ({ id: one.config.id, isPolled: one.isPolled, source: one }));
    return openHooks(config.hooks, {
      githubSources: takers(fixedHooks.github),
      gitlabSources: takers(fixedHooks.gitlab),
      outlet: {
        postChanges: async (id, changes, signal) => runner(id)?.publish(changes, signal),
        postEvents: (hook, events, signal) => publisher.publish(hook, events, signal),
        hint: (id, place) => runner(id)?.hint([place]),
        onLeftOut: onResult,
      },
      now: () => this.#clock.now().getTime(),
    });
  }

  async #drain(): Promise<void> {
    await Promise.all([
      this.#inbox.pause(),
      ...this.#runners.map((runner) => runner.halt({ store: false })),
      this.#poster.drained(drainMs),
    ]);
  }

  async #restart(resetId: string, at: Date): Promise<void> {
    this.#poster.forget();
    for (const runner of this.#runners) runner.restart(at);
    await this.#catchUp();
    this.#reports.resumed(resetId);
  }

  async #resume(): Promise<void> {
    this.#poster.forget();
    for (const runner of this.#runners) runner.start();
    await this.#catchUp();
    this.#reports.resumed();
  }

  async #catchUp(): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.#inbox.resume(), this.#clock.sleep(catchUpMs, over.signal)]);
    over.abort();
  }

  #serviceAway(error: unknown, ms: number): void {
    this.#options.logger.warn({ err: error }, `the service took no post; the next attempt is in ${Math.round(ms)} ms`);
    for (const runner of this.#runners) runner.serviceAway();
  }
}
