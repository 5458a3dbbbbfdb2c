import { builtInDemoSet, type Scenario, ScenarioError } from '@shiplog/scenarios';
import { listen, StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { MockConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { MockState, type MockTimes, mockTimes } from './state.ts';

export interface Mock extends Stoppable {
  /** The address to open in a browser. */
  readonly url: string;
}

export interface MockOptions {
  readonly config: MockConfig;
  readonly logger: Logger;
  readonly times?: Partial<MockTimes>;
  readonly now?: () => Date;
}

/**
 * Starts the mock with its demo data.
 * @throws StartError with a sentence that says what to correct.
 */
export async function startMock({ config, logger, times, now = () => new Date() }: MockOptions): Promise<Mock> {
  const state = new MockState({ demo: demoScenario(), times: { ...mockTimes, ...times }, now });
  let stopping = false;
  const app = await createApp({ config, logger, state, stopping: () => stopping });
  const stop = async () => {
    stopping = true;
    state.stop();
    await app.close();
  };
  try {
    const url = await listen(app, config);
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}; posted events are lost when it stops`);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function demoScenario(): Scenario {
  try {
    return builtInDemoSet();
  } catch (error) {
    throw error instanceof ScenarioError ? new StartError(`Can't read the demo data: ${error.message}.`) : error;
  }
}
