import { type Static, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { dateTime, StatusShape, text, uuid } from './text.ts';

const deploymentId = text(1, limits.deploymentId, {
  description: 'Correlation key of the emitter. Rows of one deployment share it; it is no row identity.',
  examples: ['gha-7421'],
});

const fields = {
  deployment_id: deploymentId,
  service: text(1, limits.service, { examples: ['payments-api'] }),
  environment: text(1, limits.environment, { examples: ['staging'] }),
  version: Type.Optional(text(0, limits.version, { description: 'Free-form.', examples: ['1.4.2'] })),
  status: StatusShape,
  happened_at: dateTime({
    description:
      'When the deployment moved to this status on the CI/CD side. Must end with `Z` or an offset; comes back as the same instant in UTC.',
    examples: ['2026-05-04T09:12:02Z'],
  }),
  run_url: Type.Optional(
    Type.String({
      maxLength: limits.runUrl,
      format: 'uri',
      pattern: patterns.storableText,
      description: 'Absolute URI of the pipeline run.',
      examples: ['https://ci.example.com/runs/7421'],
    }),
  ),
  run_number: Type.Optional(
    text(0, limits.runNumber, {
      description: 'Display and correlation only, never parsed. A string: a JSON number is refused.',
      examples: ['7421'],
    }),
  ),
  actor: Type.Optional(text(0, limits.actor, { examples: ['alice'] })),
  ref: Type.Optional(text(0, limits.ref, { description: 'Opaque git ref.', examples: ['refs/heads/main'] })),
  sha: Type.Optional(text(0, limits.sha, { description: 'Opaque.', examples: ['9f1c2ab'] })),
  parent_deployments: Type.Optional(
    Type.Array(text(1, limits.deploymentId), {
      maxItems: limits.parentDeployments,
      uniqueItems: true,
      description: '`deployment_id` values that this deployment was promoted from; stored as they are, not resolved.',
      examples: [['gha-7398']],
    }),
  ),
};

/** Request body of ingest (§2 DeploymentEventIngest). Closed. */
export const DeploymentEventIngest = Type.Object(fields, {
  additionalProperties: false,
  description: 'A deployment event as a pipeline posts it. Unknown fields are refused.',
});
export type DeploymentEventIngest = Static<typeof DeploymentEventIngest>;

/** A stored event as every surface sends it (§2 DeploymentEvent). Fields that were not sent are absent (reading 3.2). */
export const DeploymentEvent = Type.Object(
  {
    id: uuid({
      description: 'Row identifier, time-ordered in commit order, and the resume cursor of the stream.',
      examples: ['019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55'],
    }),
    ...fields,
    progress_reporter: Type.Optional(
      Type.String({
        maxLength: limits.progressReporter,
        description: 'The `X-Progress-Reporter` header of the post; absent when it was not sent.',
        examples: ['deploy-action/github'],
      }),
    ),
  },
  { description: 'A stored deployment event.' },
);
export type DeploymentEvent = Static<typeof DeploymentEvent>;

/** One page of the listing (§2 DeploymentEventPage). */
export const DeploymentEventPage = Type.Object({
  items: Type.Array(DeploymentEvent),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Opaque position of the next page; null on the final page.',
  }),
});
export type DeploymentEventPage = Static<typeof DeploymentEventPage>;

/** Sorted distinct values (§2 Discovery lists). */
export const DiscoveryList = Type.Object({
  items: Type.Array(Type.String(), { examples: [['order-svc', 'payments-api']] }),
});
export type DiscoveryList = Static<typeof DiscoveryList>;
