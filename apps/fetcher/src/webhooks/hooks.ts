import type { DeploymentEventIngest, OutageRequest } from '@shiplog/contract';
import type { Issue, ToolWebhook } from '../adapter.ts';
import type { Json } from '../change.ts';
import type { HookSettings, WebhookAuth, WebhookEntry } from '../config/webhooks.ts';
import { bodyJson, type RawDelivery } from '../tool/delivery.ts';
import {
  anyGuard,
  basicGuard,
  type Guard,
  hmacGuard,
  pagerDutyGuard,
  standardGuard,
  tokenGuard,
} from '../tool/guards.ts';
import { deploymentOf, incidentOf } from './cdevents.ts';
import { envelopesOf } from './cloud-events.ts';
import { type DeliveryItem, deliveryId, digestOf } from './delivery-item.ts';
import { type LeftOut, readGeneric } from './generic.ts';
import { outageOfIssue } from './issue-outage.ts';
import {
  type DeliverySource,
  plainHeaders,
  shapeProblem,
  type ToolDeliverySink,
  toolDeliveryItem,
} from './tool-delivery.ts';

export interface Hook {
  readonly guard: Guard;
  items(delivery: RawDelivery): readonly DeliveryItem[];
}

/** The destinations for the content of deliveries. */
export interface DeliverySink extends ToolDeliverySink {
  /**
   * Renames environments, shortens text to the limits of ingest, and posts the events; the rules in the configuration
   * file don't apply. Resolves once all events are settled. @throws what the poster throws, or the reason of the signal
   */
  postEvents(hook: string, events: readonly DeploymentEventIngest[], signal: AbortSignal): Promise<void>;
  /** Renames environments, and posts each row unless the log has it. @throws like `postEvents` */
  postOutages(hook: string, rows: readonly OutageRequest[], signal: AbortSignal): Promise<void>;
  onLeftOut(hook: string, why: LeftOut): void;
}

export interface HookParts {
  /** The sources that receive the deliveries of a tool's webhook. */
  sourcesOf(hook: string): readonly DeliverySource[];
  readonly sink: DeliverySink;
  /** By the fetcher's clock, in milliseconds. */
  now(): number;
}

const standardIdHeaders = ['idempotency-key', 'webhook-id'];

/** The webhooks by name. `readConfig` must have checked their secrets. */
export function openHooks(settings: HookSettings, { sourcesOf, sink, now }: HookParts): ReadonlyMap<string, Hook> {
  const hooks = new Map<string, Hook>();
  const idHeaders = [...settings.tools.flatMap(({ webhook }) => webhook.idHeader ?? []), ...standardIdHeaders];
  for (const { webhook, values } of settings.tools) {
    const { name, placePointer, readBody = bodyJson } = webhook;
    const guards = webhook.guards(values, now);
    const sources = sourcesOf(name);
    const deliveredItem = (delivery: RawDelivery): DeliveryItem => {
      const id = deliveryId(delivery.headers, idHeaders);
      const body = readBody(delivery);
      const issue = settings.issues && issueIn(webhook, delivery, body);
      if (!settings.issues || !issue) return toolDeliveryItem({ delivery, id, body, placePointer }, sources, sink);
      const outage = outageOfIssue(name, issue, settings.issues);
      return {
        ...{ id, digest: digestOf(delivery.body) },
        ...itemOf([], outage ? [outage] : [], { name, sink, ignored: outage ? 0 : 1 }),
      };
    };
    if (guards.length > 0) hooks.set(name, { guard: anyGuard(guards), items: (delivery) => [deliveredItem(delivery)] });
  }
  for (const entry of settings.entries) {
    const guard = guardOf(entry.auth, settings.secretOf(entry.auth.secretEnv) ?? '', now);
    const items = entry.generic ? genericItems : cdEventItems;
    hooks.set(entry.name, { guard, items: (delivery) => items(entry, delivery, sink, idHeaders) });
  }
  return hooks;
}

function guardOf(auth: WebhookAuth, secret: string, now: () => number): Guard {
  switch (auth.type) {
    case 'token':
      return tokenGuard(auth.header, secret);
    case 'basic':
      return basicGuard(auth.user, secret);
    case 'hmac-sha256':
      return hmacGuard({ ...auth, secrets: [secret] });
    case 'standard-webhooks':
      return standardGuard(secret, now);
    case 'pagerduty':
      return pagerDutyGuard(secret);
  }
}

function genericItems(
  { name, generic }: WebhookEntry,
  delivery: RawDelivery,
  sink: DeliverySink,
  idHeaders: readonly string[],
): readonly DeliveryItem[] {
  if (!generic) return [];
  const { events, outages, ignored, leftOut } = readGeneric(name, generic, bodyJson(delivery));
  const id = deliveryId(delivery.headers, idHeaders);
  const item = itemOf(events, outages, { name, sink, ignored });
  return [
    {
      ...{ id, digest: digestOf(delivery.body), expected: item.expected },
      settle(signal) {
        for (const why of leftOut) sink.onLeftOut(name, why);
        return item.settle(signal);
      },
    },
  ];
}

/** Posts what a delivery contains. */
function itemOf(
  events: readonly DeploymentEventIngest[],
  outages: readonly OutageRequest[],
  { name, sink, ignored }: { readonly name: string; readonly sink: DeliverySink; readonly ignored: number },
): Pick<DeliveryItem, 'expected' | 'settle'> {
  const expected = { accepted: events.length + outages.length, ignored };
  return {
    expected,
    async settle(signal) {
      if (events.length > 0) await sink.postEvents(name, events, signal);
      if (outages.length > 0) await sink.postOutages(name, outages, signal);
      return expected;
    },
  };
}

/** @throws Problem */
function issueIn({ readIssue }: ToolWebhook, delivery: RawDelivery, body: Json): Issue | undefined {
  try {
    return readIssue?.({ headers: plainHeaders(delivery), body });
  } catch (error) {
    throw shapeProblem(error);
  }
}

function cdEventItems({ name }: WebhookEntry, delivery: RawDelivery, sink: DeliverySink): readonly DeliveryItem[] {
  return envelopesOf(delivery).map((envelope, index) => {
    const event = deploymentOf(envelope);
    const outage = event ? undefined : incidentOf(name, envelope);
    return {
      ...{ id: `${envelope.source}\n${envelope.id}`, digest: digestOf(delivery.body, index) },
      ...itemOf(event ? [event] : [], outage ? [outage] : [], { name, sink, ignored: event || outage ? 0 : 1 }),
    };
  });
}
