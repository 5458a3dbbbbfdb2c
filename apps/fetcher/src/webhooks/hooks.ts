import type { DeploymentEventIngest } from '@shiplog/contract';
import type { HookSettings, WebhookAuth, WebhookEntry } from '../config/webhooks.ts';
import { bodyJson, type RawDelivery } from '../tool/delivery.ts';
import { anyGuard, basicGuard, type Guard, hmacGuard, standardGuard, tokenGuard } from '../tool/guards.ts';
import { deploymentOf } from './cdevents.ts';
import { envelopesOf } from './cloud-events.ts';
import { type DeliveryItem, deliveryId, digestOf, nothing } from './delivery-item.ts';
import { type LeftOut, readGeneric } from './generic.ts';
import { type DeliverySource, type ToolDeliverySink, toolDeliveryItem } from './tool-delivery.ts';

export interface Hook {
  readonly guard: Guard;
  items(delivery: RawDelivery): readonly DeliveryItem[];
}

/** The destinations for the content of deliveries. */
export interface DeliverySink extends ToolDeliverySink {
  /**
   * Renames environments, shortens texts to the limits of ingest, and posts the events; the rules in the configuration
   * file don't apply. Resolves once all events are settled. @throws what the poster throws, or the reason of the signal
   */
  postEvents(hook: string, events: readonly DeploymentEventIngest[], signal: AbortSignal): Promise<void>;
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
    const itemOf = (delivery: RawDelivery) => {
      const id = deliveryId(delivery.headers, idHeaders);
      return toolDeliveryItem({ delivery, id, body: readBody(delivery), placePointer }, sources, sink);
    };
    if (guards.length > 0) hooks.set(name, { guard: anyGuard(guards), items: (delivery) => [itemOf(delivery)] });
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
  }
}

function genericItems(
  { name, generic }: WebhookEntry,
  delivery: RawDelivery,
  sink: DeliverySink,
  idHeaders: readonly string[],
): readonly DeliveryItem[] {
  if (!generic) return [];
  const { events, ignored, leftOut } = readGeneric(generic, bodyJson(delivery));
  const id = deliveryId(delivery.headers, idHeaders);
  const expected = { accepted: events.length, ignored };
  return [
    {
      ...{ id, digest: digestOf(delivery.body), expected },
      async settle(signal) {
        for (const why of leftOut) sink.onLeftOut(name, why);
        if (events.length > 0) await sink.postEvents(name, events, signal);
        return expected;
      },
    },
  ];
}

function cdEventItems({ name }: WebhookEntry, delivery: RawDelivery, sink: DeliverySink): readonly DeliveryItem[] {
  return envelopesOf(delivery).map((envelope, index) => {
    const event = deploymentOf(envelope);
    const expected = event ? { accepted: 1, ignored: 0 } : nothing;
    return {
      ...{ id: `${envelope.source}\n${envelope.id}`, digest: digestOf(delivery.body, index), expected },
      async settle(signal) {
        if (event) await sink.postEvents(name, [event], signal);
        return expected;
      },
    };
  });
}
