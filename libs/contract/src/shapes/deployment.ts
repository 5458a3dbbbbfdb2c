import { type Static, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { dateTime, nullable, orNull, StatusShape, text, uuid } from './text.ts';

const deploymentId = text(1, limits.deploymentId, {
  description:
    'Correlation key chosen by the reporter. All rows of one deployment share it; it does not identify a row.',
  examples: ['gha-7421'],
});

const required = {
  deployment_id: deploymentId,
  service: text(1, limits.service, { examples: ['payments-api'] }),
  environment: text(1, limits.environment, { examples: ['staging'] }),
  status: StatusShape,
  happened_at: dateTime({
    description:
      'When the deployment reached this status in CI/CD. The time must end with `Z` or an offset. Responses contain the same instant in UTC, with up to six fraction digits as sent.',
    examples: ['2026-05-04T09:12:02Z'],
  }),
};

const optional = {
  version: text(0, limits.version, { description: 'Any text that names the version.', examples: ['1.4.2'] }),
  run_url: Type.String({
    maxLength: limits.runUrl,
    format: 'uri',
    pattern: patterns.storableText,
    description: 'The absolute URI of the pipeline run.',
    examples: ['https://ci.example.com/runs/7421'],
  }),
  run_number: text(0, limits.runNumber, {
    description:
      'Used only for display and correlation, and never parsed. It must be a string. A JSON number is refused.',
    examples: ['7421'],
  }),
  actor: text(0, limits.actor, { examples: ['alice'] }),
  ref: text(0, limits.ref, { description: 'The git ref. It is not parsed.', examples: ['refs/heads/main'] }),
  sha: text(0, limits.sha, { description: 'The commit hash. It is not parsed.', examples: ['9f1c2ab'] }),
  parent_deployments: Type.Array(text(1, limits.deploymentId), {
    maxItems: limits.parentDeployments,
    uniqueItems: true,
    description:
      'The `deployment_id` values that this deployment was promoted from. They are stored as sent and not checked.',
    examples: [['gha-7398']],
  }),
};

/** §2 DeploymentEventIngest. */
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
      'A deployment event as posted by a pipeline. Unknown fields are refused. An optional field that is `null` counts as absent.',
  },
);
export type DeploymentEventIngest = Static<typeof DeploymentEventIngest>;

/** A stored event, as responses return it (§2 DeploymentEvent). Fields that were not sent are absent (reading 3.2). */
export const DeploymentEvent = Type.Object(
  {
    id: uuid({
      description: 'The row id. Ids are in commit order, and the stream can resume after an id.',
      examples: ['019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55'],
    }),
    ...required,
    ...Type.Partial(Type.Object(optional)).properties,
    progress_reporter: Type.Optional(
      Type.String({
        maxLength: limits.progressReporter,
        description: 'The `X-Progress-Reporter` header of the post. Absent if the header was not sent.',
        examples: ['deploy-action/github'],
      }),
    ),
  },
  { description: 'A stored deployment event.' },
);
export type DeploymentEvent = Static<typeof DeploymentEvent>;

/** §2 DeploymentEventPage. */
export const DeploymentEventPage = Type.Object({
  items: Type.Array(DeploymentEvent),
  next_cursor: nullable(Type.String(), {
    description: 'An opaque cursor for the next page. Null on the last page.',
  }),
});
export type DeploymentEventPage = Static<typeof DeploymentEventPage>;

/** Sorted distinct values (§2 Discovery lists). */
export const DiscoveryList = Type.Object({
  items: Type.Array(Type.String(), { examples: [['order-svc', 'payments-api']] }),
});
export type DiscoveryList = Static<typeof DiscoveryList>;
