import type { RelayHealth } from '@shiplog/companions';
import { companionParts, relayEndpoints } from '@shiplog/companions';
import { Api, addContractPages, addMetrics, createHttp, Keys, momentary } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { RelayMetrics } from '../metrics.ts';

export interface AppParts {
  readonly problemBase: string;
  readonly logger: Logger;
  readonly metrics: RelayMetrics;
  health(): RelayHealth;
}

/** The whole HTTP side of the relay: health, metrics, the contract's pages. Opens no port. */
export async function createApp({ problemBase, logger, metrics, health }: AppParts): Promise<FastifyInstance> {
  const app = await createHttp({ logger, problemBase, metrics: metrics.http });
  const keys = new Keys({ api: [], control: [] });
  const api = new Api(app, relayEndpoints, { keys });
  api.serve('getRelayHealth', async () => momentary(health()));
  api.serve('getRelayReadiness', async () => momentary(health()));
  addContractPages(app, { served: api.served, problemBase, ...companionParts });
  addMetrics(app, metrics.http);
  return app;
}
