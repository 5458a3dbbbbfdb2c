import { DeploymentEventIngest, type FieldError } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import { type Static, Type } from 'typebox';

/** A hundred years. A much greater age could lead to a time before the year 1, which RFC 3339 can't express. */
export const elapsedMinutesMax = 100 * 365 * 24 * 60;

const { happened_at: _, ...timeless } = DeploymentEventIngest.properties;

/** An event that gets its time when it is emitted: an ingest body without a time. Unknown fields are errors. */
export const ScenarioTemplate = Type.Object(timeless, { additionalProperties: false });
export type ScenarioTemplate = Static<typeof ScenarioTemplate>;

/** One event of a scenario: an ingest body with an age instead of a time. Unknown fields are errors. */
export const ScenarioEvent = Type.Object(
  { ...timeless, elapsed_minutes: Type.Number({ description: `From 0 to ${elapsedMinutesMax}.` }) },
  { additionalProperties: false },
);
export type ScenarioEvent = Static<typeof ScenarioEvent>;

/**
 * The whole file (companion services §2 Scenario file). Allows unknown fields, so that a file may contain a
 * description.
 */
const ScenarioFile = Type.Object({
  events: Type.Array(ScenarioEvent),
  sse_templates: Type.Optional(Type.Array(ScenarioTemplate)),
});
type ScenarioFile = Static<typeof ScenarioFile>;

export interface Scenario {
  readonly name: string;
  /** In the order in which they are sent. */
  readonly events: readonly ScenarioEvent[];
  /** In the order in which they are emitted, round-robin. */
  readonly templates: readonly ScenarioTemplate[];
}

const shapeErrors = compileValidator(ScenarioFile);

/** The scenario in a file, or all its errors. */
export function readScenario(name: string, content: unknown): Scenario | readonly FieldError[] {
  const errors = shapeErrors(content);
  if (errors.length > 0) return errors;
  const { events, sse_templates } = content as ScenarioFile;
  const ageErrors = ageErrorsOf(events);
  return ageErrors.length > 0 ? ageErrors : { name, events, templates: sse_templates ?? [] };
}

/** The schema does not check the range, because its error would contain only one of the two limits. */
function ageErrorsOf(events: readonly ScenarioEvent[]): readonly FieldError[] {
  return events.flatMap(({ elapsed_minutes: age }, index) =>
    age >= 0 && age <= elapsedMinutesMax
      ? []
      : [{ pointer: `/events/${index}/elapsed_minutes`, message: `must be a number from 0 to ${elapsedMinutesMax}` }],
  );
}

/** Returns the event with its time, for a post at `now` (reading 9.1). Templates have the age 0. */
export function eventAt(
  { elapsed_minutes = 0, ...fields }: ScenarioTemplate & Partial<Pick<ScenarioEvent, 'elapsed_minutes'>>,
  now: Date,
): DeploymentEventIngest {
  return { ...fields, happened_at: new Date(now.getTime() - elapsed_minutes * 60_000).toISOString() };
}
