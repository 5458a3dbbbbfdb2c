import { join } from 'node:path';
import { demoEndpoints, demoPanelPath } from '@shiplog/contract';
import { sharedPanelFolder } from '@shiplog/panels';
import { addContractPages, addFiles, createHttp, Keys, Surface } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { appFolder, type DriverConfig } from '../config.ts';
import type { Feeds } from '../feeds.ts';
import { addControl, type ControlParts } from './control.ts';
import { addFeeds } from './feeds.ts';
import { createJudge } from './judge.ts';
import { addPassthrough, type Passthroughs } from './passthrough.ts';
import { addProxies } from './proxies.ts';

export interface AppParts {
  readonly config: DriverConfig;
  readonly logger: Logger;
  readonly control: ControlParts;
  readonly feeds: Feeds;
  readonly passthroughs: Passthroughs;
  readonly proxyTimeoutMs: number;
  readonly upstreamSilentMs: number;
}

/** The whole HTTP side of the driver: control, feeds, proxies, panel, the contract's pages. Opens no port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, logger, control, proxyTimeoutMs: timeoutMs } = parts;
  const { problemBase, neighbours, keys } = config;
  const app = createHttp({ logger, problemBase });
  const surface = new Surface(app, demoEndpoints, {
    // No endpoint here takes a key (companion services §5).
    keys: new Keys({ api: [], control: [] }),
    judge: createJudge(control.demo, control.scenarios),
  });
  addControl(surface, control);
  addFeeds(surface, parts.feeds);
  addPassthrough(surface, parts.passthroughs, {
    writeApiUrl: neighbours.writeApiUrl,
    apiKey: keys.api,
    timeoutMs,
    silentMs: parts.upstreamSilentMs,
  });
  addProxies(surface, { emulatorUrl: neighbours.emulatorUrl, timeoutMs });
  addContractPages(app, { served: surface.served, problemBase });
  leadToPanel(app);
  await addFiles(app, { path: demoPanelPath, folder: join(appFolder, 'panel') });
  await addFiles(app, { path: `${demoPanelPath}shared/`, folder: sharedPanelFolder });
  return app;
}

/** For whoever types the address alone, or without its last slash; relative, so that a proxy may have put a path before it. */
function leadToPanel(app: FastifyInstance): void {
  const panel = demoPanelPath.slice(1);
  for (const path of ['/', demoPanelPath.slice(0, -1)]) {
    app.get(path, (_request, reply) => reply.header('Cache-Control', 'no-cache').redirect(panel));
  }
}
