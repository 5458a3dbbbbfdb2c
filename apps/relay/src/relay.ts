import { type Clock, createClient, followDeployments, systemClock } from '@shiplog/client';
import type { RelayHealth } from '@shiplog/companions';
import { followResets, Reports, ResetPart } from '@shiplog/component';
import { type DeploymentEvent, nilId, productVersion } from '@shiplog/contract';
import { listen, outagesOf, type Stoppable, stopOnce } from '@shiplog/server';
import { backoffMs } from '@shiplog/streams';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Catalog } from './catalog.ts';
import type { RelayConfig } from './config.ts';
import type { Facts } from './domain/rule.ts';
import { factsOf } from './facts.ts';
import { createApp } from './http/app.ts';
import { LogReader } from './log-reader.ts';
import { RelayMetrics } from './metrics.ts';
import { Outlet, type OutletOptions } from './outlet/outlet.ts';
import { StuckWatch } from './stuck-watch.ts';
import { TargetLoop } from './target-loop.ts';

export interface Relay extends Stoppable {
  /** Where it listens. */
  readonly url: string;
}

export interface RelayOptions {
  readonly config: RelayConfig;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** How targets are reached; tests have names and times of their own. */
  readonly outlet?: Pick<OutletOptions, 'resolve' | 'silentMs'>;
}

/** How long messages under way may last in a reset and at a stop (fetcher §12.1). */
const drainMs = 3000;
const retryMinMs = 1000;
const retryMaxMs = 60_000;

/**
 * Starts the relay.
 * @throws StartError or SettingsError with a sentence that tells the user what to correct.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { config, logger } = options;
  const parts = new RelayParts(options);
  const app = await parts.createApp();
  const url = await listen(app, config);
  parts.start();
  const targets = config.targets.map(({ entry }) => entry.name);
  logger.info({ url, targets, service: config.baseUrl }, `ready: ${url}/health tells how it does`);
  return { url, stop: stopOnce(() => parts.stop(app)) };
}

/** The stream of the log, handed to the targets, and the part in resets. */
class RelayParts {
  readonly #options: RelayOptions;
  readonly #clock: Clock;
  readonly #startedAt: Date;
  readonly #metrics = new RelayMetrics();
  readonly #reports: Reports;
  readonly #loops: readonly TargetLoop[];
  readonly #log: LogReader;
  readonly #catalog: Catalog;
  readonly #stuck: StuckWatch;
  readonly #reset: ResetPart;
  readonly #stopping = new AbortController();
  #following = new AbortController();
  #followed: Promise<unknown> = Promise.resolve();
  #control: Promise<void> = Promise.resolve();

  constructor(options: RelayOptions) {
    const { config, logger, clock = systemClock } = options;
    const { baseUrl, apiKey, componentId } = config;
    this.#options = options;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#reports = new Reports({ baseUrl, apiKey, componentId, clock, logger });
    const client = createClient({ baseUrl, keys: { api: apiKey } });
    const { signal } = this.#stopping;
    this.#log = new LogReader(client, signal);
    this.#catalog = new Catalog({ baseUrl, clock, signal });
    const outlet = new Outlet({ allowed: config.allowed, now: () => clock.now(), ...options.outlet });
    const parts = {
      client,
      clock,
      logger,
      reports: this.#reports,
      metrics: this.#metrics,
      outlet,
      publicUrl: config.publicUrl,
    };
    this.#loops = config.targets.map((target) => new TargetLoop(target, parts));
    this.#metrics.onCollect = () => {
      for (const { health } of this.#loops) this.#metrics.waiting.set({ target: health.name }, health.waiting);
    };
    const facts = (event: DeploymentEvent) => this.#facts(event);
    this.#stuck = new StuckWatch({ log: this.#log, clock, logger, loops: this.#loops, facts });
    this.#reset = new ResetPart({
      ...{ clock, logger, ttlMs: config.resetGateMaxTtlMs },
      drain: () => this.#halt({ store: false }),
      ack: (resetId) => this.#reports.ack(resetId),
      restart: (resetId) => this.#restart(resetId),
      resume: async () => {
        this.#goOn();
        this.#reports.resumed();
      },
    });
  }

  createApp(): Promise<FastifyInstance> {
    const { config, logger } = this.#options;
    const { problemBase } = config;
    return createApp({ problemBase, logger, metrics: this.#metrics, health: () => this.#health() });
  }

  start(): void {
    this.#reports.start();
    this.#control = followResets(this.#reset, this.#options.config, {
      logger: this.#options.logger,
      signal: this.#stopping.signal,
    });
    this.#goOn();
  }

  /** Ends what is under way within a few seconds, and stores the positions. */
  async stop(app: FastifyInstance): Promise<void> {
    const isPaused = this.#reset.isPaused;
    this.#stopping.abort();
    await Promise.all([app.close(), this.#halt({ store: !isPaused })]);
    await Promise.all([this.#reset.stop(), this.#control]);
    // A step of a reset that was under way may have let them go on.
    await this.#halt({ store: false });
    await this.#reports.stop();
  }

  #goOn(): void {
    this.#following = new AbortController();
    const { signal } = this.#following;
    for (const loop of this.#loops) loop.start();
    this.#followed = Promise.all([this.#follow(signal), this.#stuck.run(signal)]);
  }

  async #halt(options: { readonly store: boolean }): Promise<void> {
    this.#following.abort();
    for (const loop of this.#loops) loop.cease();
    await this.#followed;
    await Promise.all(this.#loops.map((loop) => loop.halt({ drainMs, ...options })));
  }

  /** Everything in a log that was cleared is later than the reset: its head is its beginning. */
  async #restart(resetId: string): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.restart(nilId)));
    this.#goOn();
    this.#reports.resumed(resetId);
  }

  /** One stream for all targets, from where the last of them is. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { config, logger } = this.#options;
    for (const loop of this.#loops) await this.#persist(() => loop.begin(() => this.#log.head(), signal), signal);
    await this.#persist(async () => {
      const head = await this.#log.head();
      for (const loop of this.#loops) loop.expect(head);
    }, signal);
    if (signal.aborted) return;
    const [lastEventId = nilId] = this.#loops.map(({ seen }) => seen).toSorted();
    const outages = outagesOf('deployment stream', logger);
    for await (const event of followDeployments({ baseUrl: config.baseUrl, lastEventId, signal, ...outages })) {
      await this.#persist(async () => {
        const facts = this.#facts(event);
        for (const loop of this.#loops) await loop.take(event, facts);
      }, signal);
    }
  }

  /** What needs the service is tried until it is there: an event that cannot be judged holds up those after it. */
  async #persist(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0) this.#options.logger.warn({ err: error }, 'the service cannot be asked; trying again');
        await this.#clock.sleep(backoffMs(failures, { minMs: retryMinMs, maxMs: retryMaxMs }), signal);
      }
    }
  }

  #facts(event: DeploymentEvent): Facts {
    return factsOf(event, this.#log, this.#catalog);
  }

  #health(): RelayHealth {
    const targets = this.#loops.map(({ health }) => health);
    return {
      status: this.#loops.some(({ isBad }) => isBad) ? 'degraded' : 'ok',
      version: productVersion,
      component_id: this.#options.config.componentId,
      started_at: this.#startedAt.toISOString(),
      paused_for_reset: this.#reset.isPaused,
      queue: targets.reduce((sum, { waiting }) => sum + waiting, 0),
      targets,
    };
  }
}
