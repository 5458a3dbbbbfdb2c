import { fixedHooks } from '@shiplog/companions';
import { signingKey } from '@shiplog/component';
import type { DeploymentEventIngest } from '@shiplog/contract';
import type { HookSettings, WebhookAuth, WebhookEntry } from '../config/webhooks.ts';
import { deploymentOf } from './cdevents.ts';
import { type Envelope, envelopesOf } from './cloud-events.ts';
import { deliveryId, digestOf, jsonOf, nothing, type Parcel, type RawDelivery } from './delivery.ts';
import { type LeftOut, readGeneric } from './generic.ts';
import { anyGuard, basicGuard, type Guard, githubGuard, hmacGuard, standardGuard, tokenGuard } from './signatures.ts';
import { type DeliverySource, placePointers, type ToolOutlet, toolParcel } from './tool-delivery.ts';

/** A webhook: who may deliver to it, and what its deliveries mean. */
export interface Hook {
  readonly guard: Guard;
  /** @throws Problem where the body cannot be read */
  parcels(delivery: RawDelivery): readonly Parcel[];
}

/** Where what deliveries say goes. */
export interface Outlet extends ToolOutlet {
  /**
   * Resolves when all of them are settled, after environments were renamed and texts cut to what the log takes; the rules
   * of the configuration do not concern them. @throws what the poster throws, or the reason of the signal
   */
  postEvents(hook: string, events: readonly DeploymentEventIngest[], signal: AbortSignal): Promise<void>;
  /** What would have been an event is none. */
  onLeftOut(hook: string, why: LeftOut): void;
}

export interface HookParts {
  readonly githubSources: readonly DeliverySource[];
  readonly gitlabSources: readonly DeliverySource[];
  readonly outlet: Outlet;
  /** The instant by our own clock, in milliseconds. */
  now(): number;
}

/** The webhooks that are set up, by the end of their paths; `readConfig` has judged their secrets. */
export function openHooks(settings: HookSettings, parts: HookParts): ReadonlyMap<string, Hook> {
  const { githubSources, gitlabSources, outlet, now } = parts;
  const hooks = new Map<string, Hook>();
  if (settings.githubSecrets.length > 0) {
    hooks.set(fixedHooks.github, {
      guard: githubGuard(settings.githubSecrets),
      parcels: (delivery) => [toolParcel(delivery, placePointers.github, githubSources, outlet)],
    });
  }
  const gitlabGuards = gitlabGuardsOf(settings, now);
  if (gitlabGuards.length > 0) {
    hooks.set(fixedHooks.gitlab, {
      guard: anyGuard(gitlabGuards),
      parcels: (delivery) => [toolParcel(delivery, placePointers.gitlab, gitlabSources, outlet)],
    });
  }
  for (const entry of settings.entries) {
    const guard = guardOf(entry.auth, settings.secretOf(entry.auth.secretEnv) ?? '', now);
    hooks.set(entry.name, { guard, parcels: (delivery) => parcelsOf(entry, delivery, outlet) });
  }
  return hooks;
}

function gitlabGuardsOf({ gitlabToken, gitlabSigningToken }: HookSettings, now: () => number): Guard[] {
  return [
    ...(gitlabToken === undefined ? [] : [tokenGuard('X-Gitlab-Token', gitlabToken)]),
    ...(gitlabSigningToken === undefined ? [] : [signedGuard(gitlabSigningToken, now)]),
  ];
}

function guardOf(auth: WebhookAuth, secret: string, now: () => number): Guard {
  return auth.type === 'standard-webhooks' ? signedGuard(secret, now) : plainGuard(auth, secret);
}

/** A configuration whose secrets were not judged must not open a webhook. */
function signedGuard(token: string, now: () => number): Guard {
  const key = signingKey(token);
  if (!key) throw new Error('a signing token is none');
  return standardGuard(key, now);
}

function plainGuard(auth: Exclude<WebhookAuth, { type: 'standard-webhooks' }>, secret: string): Guard {
  switch (auth.type) {
    case 'token':
      return tokenGuard(auth.header, secret);
    case 'basic':
      return basicGuard(auth.user, secret);
    case 'hmac-sha256':
      return hmacGuard({ ...auth, secrets: [secret] });
  }
}

function parcelsOf(entry: WebhookEntry, delivery: RawDelivery, outlet: Outlet): readonly Parcel[] {
  if (!entry.generic)
    return envelopesOf(delivery).map((envelope, place) => {
      return { ...cdEventParcel(entry.name, envelope, outlet), digest: digestOf(delivery.body, place) };
    });
  const { events, ignored, leftOut } = readGeneric(entry.generic, jsonOf(delivery.body));
  const answer = { accepted: events.length, ignored };
  return [
    {
      id: deliveryId(delivery.headers),
      digest: digestOf(delivery.body),
      expected: answer,
      async settle(signal) {
        for (const why of leftOut) outlet.onLeftOut(entry.name, why);
        if (events.length > 0) await outlet.postEvents(entry.name, events, signal);
        return answer;
      },
    },
  ];
}

function cdEventParcel(hook: string, envelope: Envelope, outlet: Outlet): Parcel {
  const event = deploymentOf(envelope);
  const answer = event ? { accepted: 1, ignored: 0 } : nothing;
  return {
    id: `${envelope.source}\n${envelope.id}`,
    expected: answer,
    async settle(signal) {
      if (event) await outlet.postEvents(hook, [event], signal);
      return answer;
    },
  };
}
