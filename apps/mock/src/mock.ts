import { builtInDemoSet, type Scenario, ScenarioError } from '@shiplog/scenarios';
import { listenError, StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { MockConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { type MockTimes, mockTimes, World } from './world.ts';

export interface Mock extends Stoppable {
  /** Where it listens, for a person to open. */
  readonly url: string;
}

export interface MockOptions {
  readonly config: MockConfig;
  readonly logger: Logger;
  readonly times?: Partial<MockTimes>;
  readonly now?: () => Date;
}

/**
 * Starts the mock: demo data, broadcasts, emission, HTTP; the one place where they are wired.
 * @throws StartError with a sentence for a person when something outside has to be put right first.
 */
export async function startMock({ config, logger, times, now = () => new Date() }: MockOptions): Promise<Mock> {
  const world = new World({ demo: demoScenario(), times: { ...mockTimes, ...times }, now });
  let stopping = false;
  const app = await createApp({ config, logger, world, stopping: () => stopping });
  const stop = async () => {
    stopping = true;
    world.stop();
    await app.close();
  };
  try {
    const url = await app.listen({ port: config.port, host: config.host });
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}; what is posted is lost when it stops`);
    return { url, stop };
  } catch (error) {
    await stop();
    throw listenError(error as NodeJS.ErrnoException, config);
  }
}

function demoScenario(): Scenario {
  try {
    return builtInDemoSet();
  } catch (error) {
    throw error instanceof ScenarioError ? new StartError(`The demo data cannot be read: ${error.message}.`) : error;
  }
}
