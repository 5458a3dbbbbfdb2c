import { join } from 'node:path';
import { companionParts, driverEndpoints, driverPanelPath } from '@shiplog/companions';
import { Api, addContractPages, addFiles, createHttp, redirectToPanel } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Broadcasts } from '../broadcasts.ts';
import { appFolder, type DriverConfig } from '../config.ts';
import { addBroadcasts } from './broadcasts.ts';
import { addControl, type ControlParts } from './control.ts';
import { addPassthrough, type Passthroughs } from './passthrough.ts';
import { addProxies } from './proxies.ts';
import { refusals } from './refusals.ts';

export interface AppParts {
  readonly config: DriverConfig;
  readonly logger: Logger;
  readonly control: ControlParts;
  readonly broadcasts: Broadcasts;
  readonly passthroughs: Passthroughs;
  readonly proxyTimeoutMs: number;
  readonly upstreamSilentMs: number;
}

/** The HTTP app of the driver: control, broadcasts, proxies, panel and contract pages. Opens no port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, logger, control, proxyTimeoutMs: timeoutMs } = parts;
  const { problemBase, neighbours, keys } = config;
  const app = await createHttp({ logger, problemBase });
  const api = new Api(app, driverEndpoints, {
    // No endpoint here requires a key (companion services §5).
    refusal: refusals(control.controller, control.scenarios),
  });
  addControl(api, control);
  addBroadcasts(api, parts.broadcasts);
  addPassthrough(api, parts.passthroughs, {
    writeApiUrl: neighbours.writeApiUrl,
    apiKey: keys.api,
    timeoutMs,
    silentMs: parts.upstreamSilentMs,
  });
  addProxies(api, { emulatorUrl: neighbours.emulatorUrl, timeoutMs });
  addContractPages(app, { served: api.served, problemBase, ...companionParts });
  redirectToPanel(app, driverPanelPath);
  await addFiles(app, { path: driverPanelPath, folder: join(appFolder, 'panel/dist') });
  return app;
}
