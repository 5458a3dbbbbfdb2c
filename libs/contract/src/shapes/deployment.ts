import { type Static, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { dateTime, orNull, StatusShape, text, uuid } from './text.ts';

const deploymentId = text(1, limits.deploymentId, {
  description: 'Correlation key of the emitter. Rows of one deployment share it; it is no row identity.',
  examples: ['gha-7421'],
});

const required = {
  deployment_id: deploymentId,
  service: text(1, limits.service, { examples: ['payments-api'] }),
  environment: text(1, limits.environment, { examples: ['staging'] }),
  status: StatusShape,
  happened_at: dateTime({
    description:
      'When the deployment moved to this status on the CI/CD side. Must end with `Z` or an offset; comes back as the same instant in UTC, with the fraction digits that were written, six at most.',
    examples: ['2026-05-04T09:12:02Z'],
  }),
};

const optional = {
  version: text(0, limits.version, { description: 'Free-form.', examples: ['1.4.2'] }),
  run_url: Type.String({
    maxLength: limits.runUrl,
    format: 'uri',
    pattern: patterns.storableText,
    description: 'Absolute URI of the pipeline run.',
    examples: ['https://ci.example.com/runs/7421'],
  }),
  run_number: text(0, limits.runNumber, {
    description: 'Display and correlation only, never parsed. A string: a JSON number is refused.',
    examples: ['7421'],
  }),
  actor: text(0, limits.actor, { examples: ['alice'] }),
  ref: text(0, limits.ref, { description: 'Opaque git ref.', examples: ['refs/heads/main'] }),
  sha: text(0, limits.sha, { description: 'Opaque.', examples: ['9f1c2ab'] }),
  parent_deployments: Type.Array(text(1, limits.deploymentId), {
    maxItems: limits.parentDeployments,
    uniqueItems: true,
    description: '`deployment_id` values that this deployment was promoted from; stored as they are, not resolved.',
    examples: [['gha-7398']],
  }),
};

/** Request body of ingest (§2 DeploymentEventIngest). Closed. */
export const DeploymentEventIngest = Type.Object(
  {
    ...required,
    version: orNull(optional.version),
    run_url: orNull(optional.run_url),
    run_number: orNull(optional.run_number),
    actor: orNull(optional.actor),
    ref: orNull(optional.ref),
    sha: orNull(optional.sha),
    parent_deployments: orNull(optional.parent_deployments),
  },
  {
    additionalProperties: false,
    description:
      'A deployment event as a pipeline posts it. Unknown fields are refused; an optional one that is `null` counts as not sent.',
  },
);
export type DeploymentEventIngest = Static<typeof DeploymentEventIngest>;

/** A stored event as it appears in every answer (§2 DeploymentEvent). Fields that were not sent are absent (reading 3.2). */
export const DeploymentEvent = Type.Object(
  {
    id: uuid({
      description: 'Row identifier, time-ordered in commit order, and the resume cursor of the stream.',
      examples: ['019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55'],
    }),
    ...required,
    version: Type.Optional(optional.version),
    run_url: Type.Optional(optional.run_url),
    run_number: Type.Optional(optional.run_number),
    actor: Type.Optional(optional.actor),
    ref: Type.Optional(optional.ref),
    sha: Type.Optional(optional.sha),
    parent_deployments: Type.Optional(optional.parent_deployments),
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
