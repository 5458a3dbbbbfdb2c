import { fileURLToPath } from 'node:url';
import { companionParts, mockApplicationEndpoints, mockEndpoints } from '@shiplog/companions';
import { Api, addContractPages, addFiles, createHttp, Keys, keysGuard } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { MockConfig } from '../config.ts';
import type { MockState } from '../state.ts';
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
  readonly state: MockState;
  readonly stopping: () => boolean;
}

const panelFolder = fileURLToPath(new URL('../../panel/dist/', import.meta.url));

/** The HTTP app of the mock: its API, the contract pages and the panel. Opens no port. */
export async function createApp({ config, logger, state, stopping }: AppParts): Promise<FastifyInstance> {
  const app = await createHttp({ logger, problemBase: config.problemBase });
  const guard = keysGuard(new Keys({ api: config.apiKeys, control: [] }));
  const api = new Api(app, { ...mockApplicationEndpoints, ...mockEndpoints }, { guard });
  addIngest(api, state);
  addReads(api, state);
  addMatrix(api, state);
  addStreams(api, state.broadcasts);
  addFetcherState(api, state);
  addProbes(api, stopping);
  addSteering(api, state);
  addContractPages(app, { served: api.served, problemBase: config.problemBase, ...companionParts });
  await addFiles(app, { path: '/', folder: panelFolder });
  return app;
}
