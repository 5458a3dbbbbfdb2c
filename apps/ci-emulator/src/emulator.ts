import { listen, Problem, StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import { clockOf, type EmulatorClock } from './clock.ts';
import type { EmulatorConfig } from './config.ts';
import { EmulatorState } from './emulator-state.ts';
import { createApp } from './http/app.ts';

export interface Emulator extends Stoppable {
  /** The base URL of both tools and the address of the panel. */
  readonly url: string;
  /** Resolves when all queued webhooks are delivered. */
  deliveriesOver(): Promise<void>;
}

export interface EmulatorOptions {
  readonly config: EmulatorConfig;
  readonly logger: Logger;
  /** Replaces the configured clock in tests. */
  readonly clock?: EmulatorClock;
}

/**
 * Starts the emulator with its seed. A dataset with errors is logged and left out (CI emulator §6).
 * @throws StartError with a sentence that says what to correct.
 */
export async function startEmulator({ config, logger, clock }: EmulatorOptions): Promise<Emulator> {
  const state = new EmulatorState(config, clock ?? clockOf(config.clock));
  for (const fault of state.datasetFaults) logger.error(fault);
  if (config.seedOnStartup === 'true') seed(state, config.seedDataset, logger);
  const stopping = new AbortController();
  const app = await createApp({ config, logger, state, signal: stopping.signal });
  const stop = async () => {
    stopping.abort();
    state.stop();
    await app.close();
  };
  try {
    const url = await listen(app, config);
    state.issuers.baseUrl = baseUrl(config.host, new URL(url).port);
    const { repos, deployments } = state.status;
    logger.info({ url, repos, deployments }, `ready: GITHUB_BASE_URL and GITLAB_BASE_URL are ${url}; open ${url}/_ci/`);
    return { url, stop, deliveriesOver: () => state.webhooks.idle() };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address as configured, so that the issuers' URLs do not depend on who asks (access.md §9.30). */
function baseUrl(host: string, port: string): string {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;
}

function seed(state: EmulatorState, dataset: string, logger: Logger): void {
  const known = state.datasets;
  if (!known.includes(dataset)) {
    throw new StartError(
      `SEED_DATASET is ${JSON.stringify(dataset)}, which is unknown; available: ${known.join(', ')}.`,
    );
  }
  try {
    state.seed({ dataset });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [fault] = error.options.errors ?? [];
    logger.error(`SEED_DATASET is ${dataset}, which ${fault?.message}; the emulator starts empty`);
  }
}
