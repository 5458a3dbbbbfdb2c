import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock, createClient, systemClock } from '@shiplog/client';
import { demoSet, driverLimits, driverPanelPath } from '@shiplog/companions';
import { streamTimes } from '@shiplog/contract';
import { loadScenarios, type Scenario, ScenarioError } from '@shiplog/scenarios';
import { listen, StartError, type Stoppable, stopOnce } from '@shiplog/server';
import type { StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import { Broadcasts } from './broadcasts.ts';
import { appFolder, type DriverConfig } from './config.ts';
import { Controller } from './controller.ts';
import type { Random } from './domain/random-scenario.ts';
import { Emission } from './emission.ts';
import { createApp } from './http/app.ts';
import { Passthroughs } from './http/passthrough.ts';
import { Poster } from './poster.ts';
import { Reports } from './reports.ts';
import { Subscriptions, type SubscriptionTimes } from './subscriptions.ts';
import { Target } from './target.ts';

export interface Driver extends Stoppable {
  /** Where it listens. */
  readonly url: string;
}

/** Times that are not settings; tests pass their own. */
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

export interface DriverOptions {
  readonly config: DriverConfig;
  readonly logger: Logger;
  readonly times?: Partial<DriverTimes>;
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * Starts the driver.
 * @throws StartError with a sentence that tells the user what to correct.
 */
export async function startDriver(options: DriverOptions): Promise<Driver> {
  const { config, logger } = options;
  const scenarios = readScenarios(config.scenariosDir, logger);
  const { app, subscriptions, stop } = await wire(options, scenarios);
  const url = await listen(app, config);
  subscriptions.start();
  const panel = `${url}${driverPanelPath}`;
  const posts = `posts go to ${config.neighbours.writeApiUrl}`;
  logger.info({ url, panel, scenarios: scenarios.size }, `ready: open ${panel}; ${posts}`);
  return { url, stop: stopOnce(stop) };
}

/** Creates and connects emission, controller, subscriptions and HTTP, without starting anything. */
async function wire(options: DriverOptions, scenarios: ReadonlyMap<string, Scenario>) {
  const { config, logger, clock = systemClock, random = Math.random } = options;
  const times = { ...driverTimes, ...options.times };
  const { keys, componentId, neighbours } = config;
  const baseUrl = neighbours.writeApiUrl;

  const client = createClient({ baseUrl, keys, timeoutMs: times.attemptTimeoutMs });
  const broadcasts = new Broadcasts(times);
  const poster = new Poster({ client, clock, publish: (frame) => broadcasts.posted.publish(frame), logger });
  const reports = new Reports({ baseUrl, apiKey: keys.api, componentId, clock, logger });
  const emission = new Emission({ intervalMs: config.emitIntervalMs, poster, reports, clock, random });
  const demoSetEvents = scenarios.get(demoSet.name)?.events.length ?? 0;
  const gateMaxTtlMs = config.resetGateMaxTtlMs;
  const target = new Target({ writeApiUrl: baseUrl, timeoutMs: times.healthProbeMs, logger });
  const controller = new Controller({
    demoSetEvents,
    componentId,
    gateMaxTtlMs,
    emission,
    poster,
    target,
    reports,
    clock,
    logger,
  });
  const subscriptions = new Subscriptions({
    baseUrl,
    controlKey: keys.control,
    componentId,
    times: { ...times, random },
    onControlFrame: (frame) => broadcasts.control.publish({ ...frame, nameFirst: true }),
    onControl: (event) => controller.takeFrame(event),
    onComponentFrame: (frame) => broadcasts.components.publish(frame),
    logger,
  });
  const passthroughs = new Passthroughs();
  const { healthProbeMs, proxyTimeoutMs, upstreamSilentMs } = times;
  const { emitDelayMs } = config;
  const control = { controller, emission, scenarios, client, target, neighbours, healthProbeMs, emitDelayMs, random };
  const app = await createApp({ config, logger, control, broadcasts, passthroughs, proxyTimeoutMs, upstreamSilentMs });
  const stop = async () => {
    passthroughs.stop();
    // All at the same time, so that one that hangs does not delay the others.
    await Promise.all([broadcasts.stop(), subscriptions.stop(), controller.stop(), app.close()]);
    await reports.stop();
  };
  return { app, subscriptions, stop };
}

/** A file with an error is left out (reading 9.5). Without the folder or the built-in scenario the driver does not start. */
function readScenarios(scenariosDir: string, logger: Logger): ReadonlyMap<string, Scenario> {
  const folder = resolve(appFolder, scenariosDir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError(`SCENARIOS_DIR is ${JSON.stringify(scenariosDir)}, and there is no folder ${folder}.`);
  }
  try {
    return loadScenarios(folder, ({ message }) => logger.warn(`a scenario is left out: ${message}`));
  } catch (error) {
    throw error instanceof ScenarioError ? new StartError(`The built-in scenario: ${error.message}`) : error;
  }
}
