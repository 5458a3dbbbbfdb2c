import { type Static, Type } from 'typebox';
import { AnalyticsScope } from './analytics.ts';
import { DeploymentEvent } from './deployment.ts';
import { Finding, Reporter } from './quality.ts';
import { dateTime, nullable, StatusShape } from './text.ts';

const count = Type.Integer({ minimum: 0 });

/** What needs attention in one place (board-facts.md 1). */
export const PlaceFacts = Type.Object({
  service: Type.String(),
  environment: Type.String(),
  stuck: nullable(
    Type.Object({
      since: dateTime({ description: '`happened_at` of its last event.' }),
      status: StatusShape,
      deployment_id: Type.String(),
    }),
    { description: 'The deployment that is unfinished and much older than usual.' },
  ),
  slow: nullable(
    Type.Object({
      since: dateTime({ description: 'When the deployment started to run.' }),
      usual_minutes: Type.Number({ description: 'The median duration here.' }),
    }),
    { description: 'The running deployment, if it takes longer than 95 % of the last 30 days here.' },
  ),
  behind: nullable(
    Type.Object({
      of: Type.String({
        description: 'The environment of the previous stage, or `stage:<name>` if that stage has several environments.',
      }),
      count: Type.Integer({ minimum: 1, description: 'How many releases have succeeded there since.' }),
      since: dateTime({ description: 'When the first of them succeeded there.' }),
    }),
  ),
  hidden: nullable(Type.Object({ event: DeploymentEvent }), {
    description: 'The newest event that an event dated in the future keeps off the board.',
  }),
  usual: nullable(Type.Object({ p50: Type.Number(), p95: Type.Number(), count }), {
    description:
      'Durations, in minutes, of the deployments here in the last 30 days. Null while no deployment is running, or with fewer than 3 durations.',
  }),
  findings: Type.Array(Type.Pick(Finding, ['kind', 'count', 'before_reporter']), {
    description: 'Findings of the quality report for this place.',
  }),
});
export type PlaceFacts = Static<typeof PlaceFacts>;

export const BoardFacts = Type.Object({
  generated_at: dateTime({ description: 'The moment at which all rules were evaluated.' }),
  scope: Type.Optional(AnalyticsScope),
  ladder: Type.Array(Type.String(), { description: 'The names of the stages of the promotion order.' }),
  production: Type.String({ description: 'The name of the last stage.' }),
  stages: Type.Array(
    Type.Object({
      name: nullable(Type.String()),
      environments: Type.Array(Type.String()),
      production: Type.Boolean({ description: 'Whether it is the last stage.' }),
    }),
    {
      description:
        'Every environment of the log in its stage, regardless of the scope. The last item has a null name and the environments outside the promotion order.',
    },
  ),
  places: Type.Array(PlaceFacts, {
    description: 'The places with a fact or a finding, sorted by service and environment.',
  }),
  emitters: Type.Array(Type.Pick(Reporter, ['reporter', 'last_at', 'usual_interval_minutes']), {
    description: 'The silent reporters, regardless of the scope.',
  }),
});
export type BoardFacts = Static<typeof BoardFacts>;
