import { driverReporterPrefix } from '@shiplog/companions';
import { limits } from '@shiplog/contract';
import type { ScenarioEvent } from '@shiplog/scenarios';

/** A run before it starts. */
export interface RunPlan {
  /** The scenario's name in the status. */
  readonly scenario: string;
  /** The `X-Progress-Reporter` header of the run's posts. */
  readonly reporter: string;
  readonly events: readonly ScenarioEvent[];
  /** The number of consecutive events whose ages count from the same time: when the first of them is sent. */
  readonly eventsPerMoment: number;
  /** The pause between two events. */
  readonly delayMs: number;
}

/** `X-Progress-Reporter` of a dataset or scenario: its name, reduced to the characters of that header (reading 9.1). */
export function reporterOf(name: string): string {
  const reduced = name.toLowerCase().replace(/[^a-z0-9./-]+/g, '-');
  return `${driverReporterPrefix}${reduced}`.slice(0, limits.progressReporter);
}
