import { type Static, Type } from 'typebox';
import { DeploymentEvent } from './deployment.ts';
import { dateTime } from './text.ts';

/** The state of one service in one environment (§2 MatrixSlot). */
export const MatrixSlot = Type.Object({
  current: DeploymentEvent,
  last_successful: Type.Optional(DeploymentEvent),
  prev_failed: Type.Optional(
    Type.Literal(true, {
      description:
        'Always true. Present only if `current` is in progress and the latest terminal row before it is a failure.',
    }),
  ),
  next: Type.Optional(DeploymentEvent),
});
export type MatrixSlot = Static<typeof MatrixSlot>;

export const MatrixRow = Type.Object({
  service: Type.String(),
  slots: Type.Record(Type.String(), MatrixSlot, {
    description: 'The slots by environment. A missing key means that no deployment ever started there.',
  }),
  upcoming: Type.Optional(
    Type.Record(Type.String(), DeploymentEvent, {
      description:
        'By environment, the latest event of each slot where no deployment has started yet, such as a first deployment that is waiting. Absent if there is no such slot. These environments are not in `environments`.',
    }),
  ),
});
export type MatrixRow = Static<typeof MatrixRow>;

/** Services by environments (§2 Matrix, readings 4.1 to 4.5). */
export const Matrix = Type.Object({
  generated_at: dateTime({ description: 'The time of the snapshot.' }),
  at: Type.Optional(dateTime({ description: 'The requested moment. Absent if none was requested.' })),
  environments: Type.Array(Type.String(), {
    description: 'The environments of the slots in `rows`, sorted by code point.',
  }),
  rows: Type.Array(MatrixRow),
});
export type Matrix = Static<typeof Matrix>;
