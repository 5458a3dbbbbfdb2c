import { type FetcherHealth, fetcherEndpoints } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import { Api, Keys, momentary } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import { addWebhooks, type WebhookParts, webhookRefusal } from './webhooks.ts';

export interface AppParts {
  readonly webhooks: WebhookParts;
  health(): FetcherHealth;
  isReady(): boolean;
}

const retryAfterSeconds = 5;

export function serveApi(app: FastifyInstance, { webhooks, health, isReady }: AppParts) {
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
  return api;
}
