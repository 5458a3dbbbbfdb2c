import { type Static, Type } from 'typebox';
import { AnalyticsScope } from './analytics.ts';
import { DeploymentEvent } from './deployment.ts';
import { dateTime, nullable } from './text.ts';

/** How one environment relates to another for a service (questions.md 8). */
export const diffRelations = ['same', 'ahead', 'behind', 'diverged', 'only-from', 'only-to'] as const;
export type DiffRelation = (typeof diffRelations)[number];

const count = Type.Integer({ minimum: 0 });

/** The release in one environment of a stage whose environments run different releases (stages.md 4.11). */
const MixedRelease = Type.Object({
  environment: Type.String(),
  version: nullable(Type.String()),
  sha: nullable(Type.String()),
});
export type MixedRelease = Static<typeof MixedRelease>;

export const EnvironmentsDiff = Type.Object({
  from: Type.String(),
  to: Type.String(),
  at: nullable(dateTime({ description: 'The requested moment. Null if none was requested.' })),
  scope: Type.Optional(AnalyticsScope),
  items: Type.Array(
    Type.Object({
      service: Type.String(),
      relation: Type.Enum([...diffRelations]),
      behind: nullable(
        Type.Integer({
          minimum: 1,
          description:
            'The number of distinct releases that have succeeded in `from` since the release of `to` last succeeded in `from`; with a stage, since the first success of that release. Null unless the relation is `ahead`.',
        }),
      ),
      since: nullable(
        dateTime({
          description: 'When the first of these releases succeeded in `from`. Null unless the relation is `ahead`.',
        }),
      ),
      from: nullable(DeploymentEvent),
      to: nullable(DeploymentEvent),
      mixed: Type.Optional(
        nullable(Type.Array(MixedRelease), {
          description:
            'The environments of a stage that run different releases. The relation is then that of the oldest one. Null if each stage has one release. Present only if `from` or `to` is a stage.',
        }),
      ),
    }),
    {
      description:
        'Every service with a success on either side, sorted by code point. Each item contains the last success of the service on each side.',
    },
  ),
  counts: Type.Object(
    Object.fromEntries(diffRelations.map((relation) => [relation, count])) as Record<DiffRelation, typeof count>,
    { description: 'The number of items with each relation.' },
  ),
});
export type EnvironmentsDiff = Static<typeof EnvironmentsDiff>;
