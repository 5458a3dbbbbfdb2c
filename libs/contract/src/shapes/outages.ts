import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { AnalyticsKpi, AnalyticsScope, AnalyticsWindow } from './analytics.ts';
import { dateTime, nullable, orNull, text, uuid } from './text.ts';

export const outageStates = ['opened', 'resolved', 'dismissed'] as const;

const names = (what: string, lengthMax: number, example: string) =>
  orNull(
    Type.Array(text(1, lengthMax), {
      maxItems: limits.globs,
      uniqueItems: true,
      description: `The exact names of ${what}.`,
      examples: [[example]],
    }),
  );

const CauseRequest = Type.Object(
  {
    deployment_id: orNull(text(1, limits.deploymentId, { examples: ['gha-7421'] })),
    service: orNull(text(1, limits.service)),
    version: orNull(text(1, limits.holdVersion, { description: 'A version or a sha.' })),
  },
  {
    additionalProperties: false,
    description: 'The deployment that caused it, or the release: `deployment_id`, or `service` and `version`.',
    examples: [{ deployment_id: 'gha-7421' }],
  },
);

/** A row about an outage as posted (outages.md 1.2). */
export const OutageRequest = Type.Object(
  {
    source: Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'Who reports it.', examples: ['pagerduty'] }),
    outage_id: text(1, limits.outageId, { description: 'Its id at the source.', examples: ['PT4KHLK'] }),
    state: Type.Enum([...outageStates], { examples: ['opened'] }),
    happened_at: dateTime({ examples: ['2026-05-04T09:30:00Z'] }),
    services: names('services', limits.service, 'payments-api'),
    environments: names('environments', limits.environment, 'prod'),
    severity: orNull(text(1, limits.outageSeverity, { examples: ['high'] })),
    title: orNull(text(1, limits.outageTitle, { examples: ['Payments fail'] })),
    url: orNull(
      Type.String({
        format: 'uri',
        maxLength: limits.outageUrl,
        pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
        examples: ['https://acme.pagerduty.com/incidents/PT4KHLK'],
      }),
    ),
    caused_by: orNull(CauseRequest),
    not_by_deployment: orNull(
      Type.Boolean({
        description: 'Whether no deployment caused it. `false` withdraws what was reported about the cause.',
        examples: [null],
      }),
    ),
  },
  { additionalProperties: false },
);
export type OutageRequest = Static<typeof OutageRequest>;

/** The cause of an outage. */
export type OutageCause = { readonly deployment_id: string } | { readonly service: string; readonly version: string };

const Cause = Type.Object({
  deployment_id: Type.Optional(Type.String()),
  service: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});

/** A row about an outage as stored; members that were not sent are absent. */
export const OutageRow = Type.Object({
  id: uuid(),
  source: Type.String(),
  outage_id: Type.String(),
  state: Type.Enum([...outageStates]),
  happened_at: dateTime(),
  services: Type.Optional(Type.Array(Type.String())),
  environments: Type.Optional(Type.Array(Type.String())),
  severity: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  caused_by: Type.Optional(Cause),
  not_by_deployment: Type.Optional(Type.Boolean()),
});
export type OutageRow = Static<typeof OutageRow>;

const linkRules = ['named', 'suspected'] as const;

/** The rules that say which deployment failed; if several apply, the first one counts (outages.md 2). */
export const failureRules = ['named', 'rolled-back', 'marked-bad', 'suspected'] as const;
export type FailureRule = (typeof failureRules)[number];

/** Why no deployment is linked; the first reason that applies (outages.md 2). */
export const unlinkedReasons = [
  'dismissed',
  'not-by-deployment',
  'unknown-deployment',
  'no-service',
  'no-deployment-in-time',
] as const;
export type UnlinkedReason = (typeof unlinkedReasons)[number];

export const OutageLink = Type.Object({
  rule: Type.Enum([...linkRules]),
  service: Type.String(),
  environment: Type.String(),
  deployment_id: Type.String(),
  event_id: uuid({ description: 'The success of the deployment.' }),
  at: dateTime(),
});
export type OutageLink = Static<typeof OutageLink>;

const members = {
  source: Type.String(),
  outage_id: Type.String(),
  state: Type.Enum(['open', 'resolved', 'dismissed']),
  opened_at: dateTime(),
  resolved_at: nullable(dateTime()),
  minutes: nullable(Type.Number(), { description: 'The total time that it was open; `null` while it is open.' }),
  services: nullable(Type.Array(Type.String())),
  environments: nullable(Type.Array(Type.String())),
  severity: nullable(Type.String()),
  title: nullable(Type.String()),
  url: nullable(Type.String()),
  caused_by: nullable(Cause),
  not_by_deployment: Type.Boolean(),
  links: Type.Array(OutageLink, { description: 'The deployments that caused it or may have caused it, newest first.' }),
  reason: nullable(Type.Enum([...unlinkedReasons]), { description: 'Why there are no links.' }),
};

/** What is known about an outage (outages.md 1.4). */
export const Outage = Type.Object(members);
export type Outage = Static<typeof Outage>;

export const OutageDetails = Type.Object({
  ...members,
  rows: Type.Array(OutageRow, { description: 'The last 500 rows, oldest first.' }),
});

export const OutagePage = Type.Object({
  items: Type.Array(Outage),
  next_cursor: nullable(Type.String()),
  scope: Type.Optional(AnalyticsScope),
});

export type OutagePage = Static<typeof OutagePage>;

const count = Type.Integer({ minimum: 0 });

/** The figures about outages (outages.md 3). */
export const OutagesReport = Type.Object({
  window: AnalyticsWindow,
  scope: Type.Optional(AnalyticsScope),
  change_failure_rate_observed: AnalyticsKpi,
  time_to_restore_observed: AnalyticsKpi,
  time_to_detect: Type.Object({
    ...AnalyticsKpi.properties,
    classification: Type.Null({ description: 'DORA does not classify it.' }),
  }),
  outages: Type.Object(
    {
      count,
      linked: Type.Integer({ minimum: 0, description: 'The number with a named deployment.' }),
      suspected: count,
      unlinked: Type.Array(Type.Object({ reason: Type.Enum([...unlinkedReasons]), count })),
    },
    { description: 'The outages that opened in the period.' },
  ),
  note: Type.String(),
});
export type OutagesReport = Static<typeof OutagesReport>;

/** The service reports changes of outages with this component event. The payload is `{ source, outage_id }`. */
export const outageReport = { componentId: 'shiplog', eventType: 'outage-changed', state: 'running' } as const;
