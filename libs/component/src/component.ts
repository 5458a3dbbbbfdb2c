import { type Clock, followControl, systemClock } from '@shiplog/client';
import { type ApiDescription, productVersion, type ServedEndpoints } from '@shiplog/contract';
import {
  addContractPages,
  addMetrics,
  createHttp,
  type HttpMetrics,
  listen,
  outagesOf,
  type Stoppable,
  stopOnce,
} from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Reports } from './reports.ts';
import { ResetPart } from './reset-part.ts';

/** The parts of a program between start and stop. */
export interface ProgramParts {
  /** Creates the HTTP API without opening a port. */
  createApp(): Promise<FastifyInstance>;
  start(): void;
  stop(app: FastifyInstance): Promise<void>;
  /** The log line of a successful start. */
  ready(url: string): readonly [fields: object, message: string];
}

export interface RunningProgram extends Stoppable {
  readonly url: string;
}

/** @throws StartError if the address can't be used. */
export async function startProgram(
  parts: ProgramParts,
  { config, logger }: { readonly config: { readonly host: string; readonly port: number }; readonly logger: Logger },
): Promise<RunningProgram> {
  const app = await parts.createApp();
  const url = await listen(app, config);
  parts.start();
  const [fields, message] = parts.ready(url);
  logger.info({ url, ...fields }, message);
  return { url, stop: stopOnce(() => parts.stop(app)) };
}

export interface ComponentConfig {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** If absent, the component does not take part in resets. */
  readonly controlApiKey: string | undefined;
  readonly componentId: string;
  readonly resetGateMaxTtlMs: number;
  readonly host: string;
  readonly port: number;
  readonly problemBase: string;
}

export interface ComponentOptions {
  readonly config: ComponentConfig;
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface ComponentWork {
  readonly summary: object;
  /** Adds the component's endpoints and lists them. */
  serve(app: FastifyInstance): { readonly served: ServedEndpoints };
  start(): void;
  /** Called for a reset. Resolves when no request, no post and no write of a position is in flight. */
  drain(): Promise<void>;
  /** Like `drain`, but final. `store`: whether the position is stored. */
  end(options: { readonly store: boolean }): Promise<void>;
  /** Starts over after a reset that cleared the log at the given time. */
  restart(at: Date): Promise<void>;
  /** Continues after a reset that cleared nothing or whose end was never reported. */
  resume(): Promise<void>;
}

/** The lifecycle of a component: start, reports, resets, health, metrics and stop. */
export class Component implements ProgramParts {
  readonly reports: Reports;
  readonly clock: Clock;
  readonly #options: ComponentOptions;
  readonly #http: { readonly metrics: HttpMetrics; readonly pages: PageParts };
  readonly #startedAt: Date;
  readonly #work: ComponentWork;
  readonly #reset: ResetPart;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(
    options: ComponentOptions,
    http: { readonly metrics: HttpMetrics; readonly pages: PageParts },
    open: (component: Component) => ComponentWork,
  ) {
    const { config, logger, clock = systemClock } = options;
    this.#options = options;
    this.#http = http;
    this.clock = clock;
    this.#startedAt = clock.now();
    this.reports = new Reports({ ...config, clock, logger });
    const work = open(this);
    this.#work = work;
    this.#reset = new ResetPart({
      ...{ clock, logger, ttlMs: config.resetGateMaxTtlMs },
      drain: () => work.drain(),
      ack: (resetId) => this.reports.ack(resetId),
      restart: async (resetId, at) => {
        await work.restart(at);
        this.reports.resumed(resetId);
      },
      resume: async () => {
        await work.resume();
        this.reports.resumed();
      },
    });
  }

  get isPaused(): boolean {
    return this.#reset.isPaused;
  }

  /** Aborted when the component stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  get health() {
    return {
      version: productVersion,
      component_id: this.#options.config.componentId,
      started_at: this.#startedAt.toISOString(),
      paused_for_reset: this.isPaused,
    };
  }

  async createApp(): Promise<FastifyInstance> {
    const { metrics, pages } = this.#http;
    const { logger, config } = this.#options;
    const { problemBase } = config;
    const app = await createHttp({ logger, problemBase, metrics });
    const { served } = this.#work.serve(app);
    addContractPages(app, { served, problemBase, ...pages });
    addMetrics(app, metrics);
    return app;
  }

  start(): void {
    this.reports.start();
    this.#following = this.#followResets();
    this.#work.start();
  }

  /** Finishes or aborts work within a few seconds, and stores positions unless a reset is in progress. */
  async stop(app: FastifyInstance): Promise<void> {
    const store = !this.isPaused;
    this.#stopping.abort();
    await Promise.all([app.close(), this.#work.end({ store })]);
    await Promise.all([this.#reset.stop(), this.#following]);
    // The last step of a reset may have restarted the work during this wait.
    await this.#work.drain();
    await this.reports.stop();
  }

  ready(url: string): readonly [object, string] {
    const { baseUrl: service } = this.#options.config;
    return [{ ...this.#work.summary, service }, `ready; its health is at ${url}/health`];
  }

  async #followResets(): Promise<void> {
    const { config, logger } = this.#options;
    const { baseUrl, controlApiKey: controlKey, componentId: component } = config;
    if (controlKey === undefined) return;
    const { signal } = this.#stopping;
    const frames = followControl({ baseUrl, controlKey, component, signal, ...outagesOf('control stream', logger) });
    for await (const frame of frames) this.#reset.take(frame);
  }
}

/** The parts of an API description that depend on the program. */
type PageParts = Pick<ApiDescription, 'shapes' | 'tags'>;
