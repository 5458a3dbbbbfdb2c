import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { answeredStatus, type Clock, createClient, systemClock } from '@shiplog/client';
import { demoSet, driverLimits, driverPanelPath } from '@shiplog/companions';
import { type AckRetries, type ProgramParts, Reports, type RunningProgram, startProgram } from '@shiplog/component';
import { streamTimes } from '@shiplog/contract';
import { loadScenarios, type Scenario, ScenarioError } from '@shiplog/scenarios';
import { StartError } from '@shiplog/server';
import type { StreamTimes } from '@shiplog/streams';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Broadcasts } from './broadcasts.ts';
import { appFolder, type DriverConfig } from './config.ts';
import { Controller } from './controller.ts';
import type { Random } from './domain/random-scenario.ts';
import { Emission } from './emission.ts';
import { createApp } from './http/app.ts';
import type { ControlParts } from './http/control.ts';
import { Passthroughs } from './http/passthrough.ts';
import { Poster } from './poster.ts';
import { Subscriptions, type SubscriptionTimes } from './subscriptions.ts';
import { Target } from './target.ts';

/** Times that are not settings; tests pass other values. */
export interface DriverTimes extends StreamTimes, Pick<SubscriptionTimes, 'backoffMinMs' | 'backoffMaxMs'> {
  readonly attemptTimeoutMs: number;
  readonly healthProbeMs: number;
  readonly proxyTimeoutMs: number;
  readonly upstreamSilentMs: number;
}

const driverTimes: DriverTimes = {
  attemptTimeoutMs: driverLimits.attemptTimeoutMs,
  healthProbeMs: driverLimits.healthProbeMs,
  proxyTimeoutMs: driverLimits.proxyTimeoutMs,
  upstreamSilentMs: driverLimits.upstreamSilentMs,
  ...streamTimes,
};

/** Acknowledgements are retried like posts. A report that timed out is not retried, because it would be too late. */
const ackRetries: AckRetries = {
  waitsMs: driverLimits.retryWaitsMs.slice(0, driverLimits.attempts - 1),
  isRetryable: (error) => {
    const status = answeredStatus(error);
    return status === undefined ? (error as Error).name !== 'TimeoutError' : status >= 500;
  },
};

export interface DriverOptions {
  readonly config: DriverConfig;
  readonly logger: Logger;
  readonly times?: Partial<DriverTimes>;
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * Starts the driver.
 * @throws StartError with a sentence that says what to correct.
 */
export async function startDriver(options: DriverOptions): Promise<RunningProgram> {
  return startProgram(new Driver(options, readScenarios(options.config.scenariosDir, options.logger)), options);
}

/** Connects emission, controller, subscriptions and HTTP. */
class Driver implements ProgramParts {
  readonly #options: DriverOptions;
  readonly #times: DriverTimes;
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #broadcasts: Broadcasts;
  readonly #reports: Reports;
  readonly #controller: Controller;
  readonly #subscriptions: Subscriptions;
  readonly #control: ControlParts;
  readonly #passthroughs = new Passthroughs();

  constructor(options: DriverOptions, scenarios: ReadonlyMap<string, Scenario>) {
    const { config, logger, clock = systemClock, random = Math.random } = options;
    const times = { ...driverTimes, ...options.times };
    const { keys, componentId, neighbours, emitDelayMs, resetGateMaxTtlMs: gateMaxTtlMs } = config;
    const baseUrl = neighbours.writeApiUrl;
    this.#options = options;
    this.#times = times;
    this.#scenarios = scenarios;
    const broadcasts = new Broadcasts(times);
    const reports = new Reports({ baseUrl, apiKey: keys.api, componentId, clock, logger, ackRetries });
    const client = createClient({ baseUrl, keys, timeoutMs: times.attemptTimeoutMs });
    const poster = new Poster({ client, clock, publish: (frame) => broadcasts.posted.publish(frame), logger });
    const emission = new Emission({ intervalMs: config.emitIntervalMs, poster, reports, clock, random });
    const target = new Target({ writeApiUrl: baseUrl, apiKey: keys.api, timeoutMs: times.healthProbeMs, logger });
    const demoSetEvents = scenarios.get(demoSet.name)?.events.length ?? 0;
    const shared = { emission, poster, target, reports, clock, logger };
    const controller = new Controller({ ...shared, demoSetEvents, componentId, gateMaxTtlMs });
    this.#subscriptions = new Subscriptions({
      ...{ baseUrl, controlKey: keys.control, apiKey: keys.api, componentId, times: { ...times, random }, logger },
      onControlFrame: (frame) => broadcasts.control.publish({ ...frame, nameFirst: true }),
      onControl: (event) => controller.takeFrame(event),
      onComponentFrame: (frame) => broadcasts.components.publish(frame),
    });
    const { healthProbeMs } = times;
    this.#control = { controller, emission, scenarios, client, target, neighbours, healthProbeMs, emitDelayMs, random };
    this.#broadcasts = broadcasts;
    this.#reports = reports;
    this.#controller = controller;
  }

  createApp() {
    const { config, logger } = this.#options;
    const { proxyTimeoutMs, upstreamSilentMs } = this.#times;
    const served = { control: this.#control, broadcasts: this.#broadcasts, passthroughs: this.#passthroughs };
    return createApp({ config, logger, ...served, proxyTimeoutMs, upstreamSilentMs });
  }

  start(): void {
    this.#subscriptions.start();
  }

  async stop(app: FastifyInstance): Promise<void> {
    this.#passthroughs.stop();
    // All parts stop at the same time, so that a part that hangs does not delay the others.
    const parts = [this.#broadcasts, this.#subscriptions, this.#controller];
    await Promise.all([...parts.map((part) => part.stop()), app.close()]);
    await this.#reports.stop();
  }

  ready(url: string): readonly [object, string] {
    const panel = `${url}${driverPanelPath}`;
    const target = this.#options.config.neighbours.writeApiUrl;
    return [{ panel, scenarios: this.#scenarios.size }, `ready: open ${panel}; events are posted to ${target}`];
  }
}

/** Skips files with errors (reading 9.5). Without the folder or the built-in scenario, the driver does not start. */
function readScenarios(scenariosDir: string, logger: Logger): ReadonlyMap<string, Scenario> {
  const folder = resolve(appFolder, scenariosDir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError(`SCENARIOS_DIR is ${JSON.stringify(scenariosDir)}, but the folder ${folder} doesn't exist.`);
  }
  try {
    return loadScenarios(folder, ({ message }) => logger.warn(`skipping a scenario: ${message}`));
  } catch (error) {
    throw error instanceof ScenarioError ? new StartError(`The built-in scenario: ${error.message}`) : error;
  }
}
