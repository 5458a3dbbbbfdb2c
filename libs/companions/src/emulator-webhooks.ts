import { dateTime } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { emulatorLimits, type OutageTool, outageTools } from './emulator.ts';
import { closed, timeOrNull } from './schema.ts';

export const webhookModes = ['normal', 'duplicate', 'reorder', 'drop', 'bad-signature', 'late'] as const;
export type WebhookMode = (typeof webhookModes)[number];
/** The events that a target of each tool gets by default. */
export const hookEvents: Readonly<Record<OutageTool, readonly string[]>> = {
  github: ['deployment', 'deployment_status', 'workflow_run', 'deployment_review'],
  gitlab: ['deployment'],
  pagerduty: ['incident.triggered', 'incident.resolved'],
  alertmanager: ['alerts'],
};
/** The event that a target gets only on request. */
export const issueEvents: Readonly<Partial<Record<OutageTool, string>>> = { github: 'issues', gitlab: 'issue' };

/** The events that a target of a tool can get. */
export function knownHookEvents(tool: OutageTool): readonly string[] {
  return [...hookEvents[tool], ...(issueEvents[tool] === undefined ? [] : [issueEvents[tool]])];
}

export const CiWebhookRequest = Type.Object(
  {
    tool: Type.Enum([...outageTools]),
    url: Type.String({ format: 'uri', maxLength: 2048 }),
    secret: Type.String({ minLength: 1, maxLength: 255 }),
    events: Type.Optional(Type.Array(Type.Enum([...new Set(outageTools.flatMap(knownHookEvents))]))),
    signing_token: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    mode: Type.Optional(Type.Enum([...webhookModes], { default: 'normal' })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: emulatorLimits.delayMsMax })),
    past_outages: Type.Optional(
      Type.Boolean({ default: false, description: 'Also sends the outages that the emulator already has.' }),
    ),
  },
  closed,
);
export type CiWebhookRequest = Static<typeof CiWebhookRequest>;

export const CiWebhook = Type.Object({
  id: Type.Integer(),
  tool: Type.Enum([...outageTools]),
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
