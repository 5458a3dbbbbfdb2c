import { DeploymentEventIngest, type FieldError } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import { type Static, Type } from 'typebox';

/** A hundred years: what lies before the year 1 could not be written as an RFC 3339 date-time. */
export const elapsedMinutesMax = 100 * 365 * 24 * 60;

const { happened_at: _, ...timeless } = DeploymentEventIngest.properties;

/** What is emitted with the time of its emission: the fields of ingest without any time. Closed. */
export const ScenarioTemplate = Type.Object(timeless, { additionalProperties: false });
export type ScenarioTemplate = Static<typeof ScenarioTemplate>;

/** One event of a scenario: the fields of ingest, with its age at the time of sending. Closed. */
export const ScenarioEvent = Type.Object(
  { ...timeless, elapsed_minutes: Type.Number({ description: `From 0 to ${elapsedMinutesMax}.` }) },
  { additionalProperties: false },
);
export type ScenarioEvent = Static<typeof ScenarioEvent>;

/** The whole file (companion services §2 Scenario file). Open, so that a file may say what it is about. */
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

const shapeFaults = compileValidator(ScenarioFile);

/** The scenario that a file holds, or each fault at its place in it. */
export function readScenario(name: string, content: unknown): Scenario | readonly FieldError[] {
  const faults = shapeFaults(content);
  if (faults.length > 0) return faults;
  const { events, sse_templates } = content as ScenarioFile;
  const ages = ageFaults(events);
  return ages.length > 0 ? ages : { name, events, templates: sse_templates ?? [] };
}

/** The range is judged here and not by the shape, whose sentence would name one end of it only. */
function ageFaults(events: readonly ScenarioEvent[]): readonly FieldError[] {
  return events.flatMap(({ elapsed_minutes: age }, index) =>
    age >= 0 && age <= elapsedMinutesMax
      ? []
      : [{ pointer: `/events/${index}/elapsed_minutes`, message: `must be a number from 0 to ${elapsedMinutesMax}` }],
  );
}

/** The event as it is posted at `now` (reading 9.1). A template happens now. */
export function eventAt(
  { elapsed_minutes = 0, ...fields }: ScenarioTemplate & Partial<Pick<ScenarioEvent, 'elapsed_minutes'>>,
  now: Date,
): DeploymentEventIngest {
  return { ...fields, happened_at: new Date(now.getTime() - elapsed_minutes * 60_000).toISOString() };
}
