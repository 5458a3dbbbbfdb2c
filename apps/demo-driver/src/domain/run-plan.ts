import { driverReporterPrefix } from '@shiplog/companions';
import { limits } from '@shiplog/contract';
import type { ScenarioEvent } from '@shiplog/scenarios';

/** One run, as it is going to be. */
export interface RunPlan {
  /** Its name in the status. */
  readonly scenario: string;
  /** What its posts say in `X-Progress-Reporter`. */
  readonly reporter: string;
  readonly events: readonly ScenarioEvent[];
  /** So many of them, one after the other, tell of the same moment: that at which the first of them is sent. */
  readonly together: number;
  /** Pause between two events. */
  readonly delayMs: number;
}

/** `X-Progress-Reporter` of a dataset or scenario, its name reduced to what that header takes (reading 9.1). */
export function reporterOf(name: string): string {
  const reduced = name.toLowerCase().replace(/[^a-z0-9./-]+/g, '-');
  return `${driverReporterPrefix}${reduced}`.slice(0, limits.progressReporter);
}
