import { fileURLToPath } from 'node:url';
import { companionParts, mockApplicationEndpoints, mockEndpoints } from '@shiplog/companions';
import { sharedPanelFolder } from '@shiplog/panels';
import { Api, addContractPages, addFiles, createHttp, Keys } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { MockConfig } from '../config.ts';
import type { World } from '../world.ts';
import { addFetcherState } from './fetcher.ts';
import { addIngest } from './ingest.ts';
import { addMatrix } from './matrix.ts';
import { addProbes } from './probes.ts';
import { addReads } from './reads.ts';
import { addSteering } from './steering.ts';
import { addStreams } from './streams.ts';

export interface AppParts {
  readonly config: MockConfig;
  readonly logger: Logger;
  readonly world: World;
  readonly stopping: () => boolean;
}

const panelFolder = fileURLToPath(new URL('../../panel/', import.meta.url));

/** The whole HTTP side of the mock: the application API, what steers it, the contract's pages, the panel. Opens no port. */
export async function createApp({ config, logger, world, stopping }: AppParts): Promise<FastifyInstance> {
  const app = await createHttp({ logger, problemBase: config.problemBase });
  const keys = new Keys({ api: config.apiKeys, control: [] });
  const api = new Api(app, { ...mockApplicationEndpoints, ...mockEndpoints }, { keys });
  addIngest(api, world);
  addReads(api, world);
  addMatrix(api, world);
  addStreams(api, world.broadcasts);
  addFetcherState(api, world);
  addProbes(api, stopping);
  addSteering(api, world);
  addContractPages(app, { served: api.served, problemBase: config.problemBase, ...companionParts });
  await addFiles(app, { path: '/', folder: panelFolder });
  await addFiles(app, { path: '/shared/', folder: sharedPanelFolder });
  return app;
}
