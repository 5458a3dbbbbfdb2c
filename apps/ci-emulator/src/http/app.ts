import { join } from 'node:path';
import { companionParts, emulatorEndpoints, emulatorPanelPath } from '@shiplog/companions';
import { Api, addContractPages, addFiles, addMetrics, createHttp, HttpMetrics, redirectToPanel } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { appFolder, type EmulatorConfig } from '../config.ts';
import type { EmulatorState } from '../emulator-state.ts';
import { addControl } from './control.ts';
import { addDeployments } from './deployments.ts';
import { addFaultsAndWebhooks } from './faults.ts';
import { addIssuers } from './issuers.ts';
import { addTools } from './tools.ts';

export interface AppParts {
  readonly config: EmulatorConfig;
  readonly logger: Logger;
  readonly state: EmulatorState;
  readonly signal: AbortSignal;
}

/** The HTTP app of the emulator: both tools, the control API, the panel and the contract pages. Opens no port. */
export async function createApp({ config, logger, state, signal }: AppParts): Promise<FastifyInstance> {
  const { problemBase } = config;
  const metrics = new HttpMetrics();
  const app = await createHttp({ logger, problemBase, metrics });
  // With a virtual clock, equal calls get byte-identical responses (CI emulator §1.3).
  app.addHook(
    'onSend',
    async (_request, reply) => void reply.header('date', new Date(state.clock.now()).toUTCString()),
  );
  const api = new Api(app, emulatorEndpoints);
  addControl(api, state);
  addDeployments(api, state);
  addFaultsAndWebhooks(api, state);
  addIssuers(api, state);
  addContractPages(app, { served: api.served, problemBase, ...companionParts });
  addMetrics(app, metrics);
  redirectToPanel(app, emulatorPanelPath);
  await addFiles(app, { path: emulatorPanelPath, folder: join(appFolder, 'panel/dist') });
  addTools(app, state, signal);
  return app;
}
