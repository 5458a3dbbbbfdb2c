import type { FetcherHealth } from '@shiplog/companions';
import { companionParts, fetcherEndpoints } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import { Api, addContractPages, addMetrics, createHttp, Keys, momentary } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { FetcherMetrics } from '../metrics.ts';
import { addWebhooks, type WebhookParts, webhookRefusal } from './webhooks.ts';

export interface AppParts {
  readonly problemBase: string;
  readonly logger: Logger;
  readonly metrics: FetcherMetrics;
  readonly webhooks: WebhookParts;
  health(): FetcherHealth;
  isReady(): boolean;
}

const retryAfterSeconds = 5;

/** The whole HTTP side of the fetcher: webhooks, health, metrics, the contract's pages. Opens no port. */
export async function createApp({
  problemBase,
  logger,
  metrics,
  webhooks,
  health,
  isReady,
}: AppParts): Promise<FastifyInstance> {
  const app = await createHttp({ logger, problemBase, metrics: metrics.http });
  const keys = new Keys({ api: [], control: [] });
  const api = new Api(app, fetcherEndpoints, { keys, refusal: webhookRefusal(webhooks) });
  addWebhooks(api, webhooks);
  api.serve('getFetcherHealth', async () => momentary(health()));
  api.serve('getFetcherReadiness', async () => {
    const answer = momentary(health());
    if (isReady()) return answer;
    return {
      ...answer,
      status: 503,
      headers: { ...answer.headers, [headerNames.retryAfter]: String(retryAfterSeconds) },
    };
  });
  addContractPages(app, { served: api.served, problemBase, ...companionParts });
  addMetrics(app, metrics.http);
  return app;
}
