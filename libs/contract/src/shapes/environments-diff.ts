import { type Static, Type } from 'typebox';
import { AnalyticsScope } from './analytics.ts';
import { DeploymentEvent } from './deployment.ts';
import { dateTime, nullable } from './text.ts';

/** How one environment is to another for a service (questions.md 8). */
export const diffRelations = ['same', 'ahead', 'behind', 'diverged', 'only-from', 'only-to'] as const;
export type DiffRelation = (typeof diffRelations)[number];

const count = Type.Integer({ minimum: 0 });

export const EnvironmentsDiff = Type.Object({
  from: Type.String(),
  to: Type.String(),
  at: nullable(dateTime({ description: 'The moment that was asked for; null where none was.' })),
  scope: Type.Optional(AnalyticsScope),
  items: Type.Array(
    Type.Object({
      service: Type.String(),
      relation: Type.Enum([...diffRelations]),
      behind: nullable(
        Type.Integer({
          minimum: 1,
          description:
            'Beside `ahead`: the different releases that have succeeded in `from` since the release of `to` last did there.',
        }),
      ),
      since: nullable(dateTime({ description: 'Beside `ahead`: when the first of them succeeded there.' })),
      from: nullable(DeploymentEvent),
      to: nullable(DeploymentEvent),
    }),
    {
      description: 'Every service with a success in either environment, by code point, with the last success of each.',
    },
  ),
  counts: Type.Object(
    Object.fromEntries(diffRelations.map((relation) => [relation, count])) as Record<DiffRelation, typeof count>,
    {
      description: 'Items by relation.',
    },
  ),
});
export type EnvironmentsDiff = Static<typeof EnvironmentsDiff>;
