import { dateTime } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { ciTools, emulatorLimits } from './emulator.ts';
import { closed, timeOrNull } from './schema.ts';

export const webhookModes = ['normal', 'duplicate', 'reorder', 'drop', 'bad-signature', 'late'] as const;
export type WebhookMode = (typeof webhookModes)[number];
export const githubHookEvents = ['deployment', 'deployment_status', 'workflow_run', 'deployment_review'] as const;
export const gitlabHookEvents = ['deployment'] as const;

export const CiWebhookRequest = Type.Object(
  {
    tool: Type.Enum([...ciTools]),
    url: Type.String({ format: 'uri', maxLength: 2048 }),
    secret: Type.String({ minLength: 1, maxLength: 255 }),
    events: Type.Optional(Type.Array(Type.Enum([...new Set([...githubHookEvents, ...gitlabHookEvents])]))),
    signing_token: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    mode: Type.Optional(Type.Enum([...webhookModes], { default: 'normal' })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: emulatorLimits.delayMsMax })),
  },
  closed,
);
export type CiWebhookRequest = Static<typeof CiWebhookRequest>;

export const CiWebhook = Type.Object({
  id: Type.Integer(),
  tool: Type.Enum([...ciTools]),
  url: Type.String(),
  events: Type.Array(Type.String()),
  mode: Type.Enum([...webhookModes]),
  resting_until: timeOrNull('A GitLab hook that failed four times in a row is paused until this time.'),
});
export type CiWebhook = Static<typeof CiWebhook>;
export const CiWebhooks = Type.Object({ items: Type.Array(CiWebhook) });

export const CiDelivery = Type.Object({
  id: Type.String(),
  at: dateTime(),
  event: Type.String(),
  status: Type.Integer({ description: 'The status of the response from the target, or 0 without a response.' }),
  duration_ms: Type.Integer(),
  attempt: Type.Integer(),
});
export type CiDelivery = Static<typeof CiDelivery>;
export const CiDeliveries = Type.Object({ items: Type.Array(CiDelivery) });
export type CiDeliveries = Static<typeof CiDeliveries>;
