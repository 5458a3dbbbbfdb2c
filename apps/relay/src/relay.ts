import { type Clock, createClient, followDeployments } from '@shiplog/client';
import { companionParts, type RelayHealth, relayEndpoints } from '@shiplog/companions';
import { Component, type ComponentWork, type RunningProgram, startProgram } from '@shiplog/component';
import { type DeploymentEvent, nilId } from '@shiplog/contract';
import { Api, momentary, outagesOf } from '@shiplog/server';
import { backoffMs } from '@shiplog/streams';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Catalog } from './catalog.ts';
import type { RelayConfig } from './config.ts';
import type { Facts } from './domain/rule.ts';
import { factsOf } from './facts.ts';
import { LogReader } from './log-reader.ts';
import { RelayMetrics } from './metrics.ts';
import { NewsWatch } from './news-watch.ts';
import { Sender, type SenderOptions } from './sender/sender.ts';
import { Stages } from './stages.ts';
import { StuckWatch } from './stuck-watch.ts';
import { TargetLoop } from './target-loop.ts';

export interface RelayOptions {
  readonly config: RelayConfig;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Options for reaching targets; tests resolve names themselves and use other times. */
  readonly sender?: Pick<SenderOptions, 'resolve' | 'silentMs'>;
}

/** How long a reset or a stop waits for messages in flight (fetcher §12.1). */
const drainMs = 3000;
const retryMinMs = 1000;
const retryMaxMs = 60_000;

/** Starts the relay. @throws StartError or SettingsError with a sentence that says what to correct. */
export async function startRelay(options: RelayOptions): Promise<RunningProgram> {
  const metrics = new RelayMetrics();
  const http = { metrics: metrics.http, pages: companionParts };
  return startProgram(new Component(options, http, (component) => new Relaying(options, metrics, component)), options);
}

class Relaying implements ComponentWork {
  readonly #options: RelayOptions;
  readonly #component: Component;
  readonly #loops: readonly TargetLoop[];
  readonly #log: LogReader;
  readonly #catalog: Catalog;
  readonly #stages: Stages;
  readonly #stuck: StuckWatch;
  readonly #news: NewsWatch;
  #following = new AbortController();
  #followed: Promise<unknown> = Promise.resolve();

  constructor(options: RelayOptions, metrics: RelayMetrics, component: Component) {
    const { config, logger } = options;
    const { baseUrl, publicUrl } = config;
    const { clock, reports, stopping: signal } = component;
    this.#options = options;
    this.#component = component;
    const client = createClient({ baseUrl, keys: { api: config.apiKey } });
    this.#log = new LogReader(client, signal);
    this.#catalog = new Catalog({ baseUrl, apiKey: config.apiKey, clock, signal });
    this.#stages = new Stages({ log: this.#log, clock, warn: (sentence) => logger.warn(sentence) });
    const sender = new Sender({ allowed: config.allowed, now: () => clock.now(), ...options.sender });
    const parts = { client, clock, logger, reports, metrics, sender, publicUrl };
    this.#loops = config.targets.map((target) => new TargetLoop(target, parts));
    metrics.onCollect = () => {
      for (const { health } of this.#loops) metrics.waiting.set({ target: health.name }, health.waiting);
    };
    const facts = (event: DeploymentEvent) => this.#facts(event);
    this.#stuck = new StuckWatch({ log: this.#log, clock, logger, loops: this.#loops, facts });
    const names = {
      teamOf: (service: string) => this.#catalog.teamOf(service),
      isInStage: (environment: string, stages: readonly string[]) => this.#stages.isIn(environment, stages),
    };
    this.#news = new NewsWatch({ log: this.#log, clock, logger, loops: this.#loops, facts: names });
  }

  get summary() {
    return { targets: this.#loops.map(({ health }) => health.name) };
  }

  serve(app: FastifyInstance) {
    const api = new Api(app, relayEndpoints);
    api.serve('getRelayHealth', async () => momentary(this.#health()));
    api.serve('getRelayReadiness', async () => momentary(this.#health()));
    return api;
  }

  start(): void {
    this.#following = new AbortController();
    const { signal } = this.#following;
    for (const loop of this.#loops) loop.start();
    this.#followed = this.#run(signal);
  }

  drain(): Promise<void> {
    return this.end({ store: false });
  }

  async end(options: { readonly store: boolean }): Promise<void> {
    this.#following.abort();
    for (const loop of this.#loops) loop.cease();
    await this.#followed;
    await Promise.all(this.#loops.map((loop) => loop.halt({ drainMs, ...options })));
  }

  /** Events in a cleared log arrive after the reset, so targets start at the beginning of the log. */
  async restart(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.restart(nilId)));
    this.start();
  }

  async resume(): Promise<void> {
    this.start();
  }

  /** The targets' states are read first, because they record which stuck deployments have been reported. */
  async #run(signal: AbortSignal): Promise<void> {
    for (const loop of this.#loops) await this.#persist(() => loop.begin(() => this.#log.head(), signal), signal);
    await Promise.all([this.#follow(signal), this.#stuck.run(signal), this.#news.run(signal)]);
  }

  /** Follows one stream for all targets, from the position of the target that is furthest behind. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { config, logger } = this.#options;
    await this.#persist(async () => {
      const head = await this.#log.head();
      for (const loop of this.#loops) loop.expect(head);
    }, signal);
    if (signal.aborted) return;
    const [lastEventId = nilId] = this.#loops.map(({ seen }) => seen).toSorted();
    const { baseUrl, apiKey } = config;
    const outages = outagesOf('deployment stream', logger);
    for await (const event of followDeployments({ baseUrl, apiKey, lastEventId, signal, ...outages })) {
      await this.#persist(async () => {
        const facts = this.#facts(event);
        for (const loop of this.#loops) await loop.take(event, facts);
      }, signal);
    }
  }

  /** Retries until the service answers: an event that can't be processed delays all later ones. */
  async #persist(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0) this.#options.logger.warn({ err: error }, "can't reach the service; trying again");
        await this.#component.clock.sleep(backoffMs(failures, { minMs: retryMinMs, maxMs: retryMaxMs }), signal);
      }
    }
  }

  #facts(event: DeploymentEvent): Facts {
    return factsOf(event, { log: this.#log, catalog: this.#catalog, stages: this.#stages });
  }

  #health(): RelayHealth {
    const targets = this.#loops.map(({ health }) => health);
    return {
      status: this.#loops.some(({ isBad }) => isBad) ? 'degraded' : 'ok',
      ...this.#component.health,
      queue: targets.reduce((sum, { waiting }) => sum + waiting, 0),
      targets,
    };
  }
}
