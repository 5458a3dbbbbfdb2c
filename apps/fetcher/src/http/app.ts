import { type FetcherHealth, fetcherEndpoints } from '@shiplog/companions';
import { type Endpoint, headerNames } from '@shiplog/contract';
import { Api, momentary, Problem, type RouteOptions } from '@shiplog/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SentHeaders } from '../tool/delivery.ts';
import type { Guard } from '../tool/guards.ts';
import type { Hook } from '../webhooks/hooks.ts';
import type { Inbox } from '../webhooks/inbox.ts';

export interface AppParts {
  readonly webhooks: WebhookParts;
  health(): FetcherHealth;
  isReady(): boolean;
}

const retryAfterSeconds = 5;

export function serveApi(app: FastifyInstance, { webhooks, health, isReady }: AppParts) {
  const api = new Api(app, fetcherEndpoints, { refusal: webhookRefusal(webhooks) });
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

/** The result of a delivery, for `deliveries_total`. */
export type DeliveryResult = 'accepted' | 'ignored' | 'unauthorized' | 'malformed' | 'unavailable';

export interface WebhookParts {
  readonly hooks: ReadonlyMap<string, Hook>;
  readonly inbox: Inbox;
  onDelivery(hook: string, result: DeliveryResult): void;
}

/** Receives deliveries (fetcher §11). The API must be created with `webhookRefusal`. */
export function addWebhooks(api: Api<typeof fetcherEndpoints>, { hooks, inbox, onDelivery }: WebhookParts): void {
  api.serve('receiveDelivery', async ({ params, request }) => {
    const hook = hooks.get(params.hook);
    if (!hook) throw unknown();
    try {
      const headers = headersOf(request);
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      if (!hook.guard.judge(headers)?.(body)) throw unauthorized(hook.guard);
      const answer = await inbox.take(params.hook, hook.items({ headers, body }));
      onDelivery(params.hook, answer.accepted > 0 ? 'accepted' : 'ignored');
      return { status: 202, json: JSON.stringify(answer) };
    } catch (error) {
      if (error instanceof Problem) onDelivery(params.hook, resultOf(error));
      throw error;
    }
  });
}

/** Refuses a delivery before reading its body: unknown webhook, no valid proof in the headers, or full queue. */
export function webhookRefusal({
  hooks,
  inbox,
  onDelivery,
}: WebhookParts): NonNullable<RouteOptions<Endpoint>['refusal']> {
  return (endpoint, request) => {
    if (endpoint !== fetcherEndpoints.receiveDelivery) return undefined;
    const { hook: name } = request.params as { readonly hook: string };
    const hook = hooks.get(name);
    if (!hook) return unknown();
    const problem = hook.guard.judge(headersOf(request)) ? inbox.refusal : unauthorized(hook.guard);
    if (problem) onDelivery(name, resultOf(problem));
    return problem;
  };
}

/** Fastify's `headers` hide duplicates. */
function headersOf(request: FastifyRequest): SentHeaders {
  return request.raw.headersDistinct;
}

/** The response doesn't reveal the names of webhooks. */
function unknown(): Problem {
  return new Problem('not-found', { detail: "No such webhook. The fetcher's configuration lists them." });
}

function unauthorized({ challenge }: Guard): Problem {
  return new Problem('unauthorized', {
    detail: 'The signature or token is missing or invalid. Compare the secrets on both sides.',
    headers: { [headerNames.wwwAuthenticate]: challenge },
  });
}

function resultOf({ kind }: Problem): DeliveryResult {
  if (kind === 'unauthorized') return 'unauthorized';
  return kind === 'validation' ? 'malformed' : 'unavailable';
}
