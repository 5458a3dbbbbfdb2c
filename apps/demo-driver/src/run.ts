import type { Clock } from '@shiplog/client';
import { eventAt } from '@shiplog/scenarios';
import type { RunPlan } from './domain/run-plan.ts';
import type { Poster } from './poster.ts';
import type { Halt } from './session.ts';

export interface RunOptions {
  readonly poster: Poster;
  readonly clock: Clock;
  /** Called after each event with whether it was stored. */
  readonly onOutcome: (stored: boolean) => void;
}

/** Posts the events of a run one at a time, in order (reading 9.1). Resolves with whether all were attempted. */
export async function runEvents(plan: RunPlan, options: RunOptions, halt: Halt): Promise<boolean> {
  const { poster, clock, onOutcome } = options;
  let moment = clock.now();
  for (const [index, item] of plan.events.entries()) {
    if (index > 0 && plan.delayMs > 0) await clock.sleep(plan.delayMs, halt.stopping);
    if (halt.stopping.aborted) return false;
    if (index % plan.eventsPerMoment === 0) moment = clock.now();
    onOutcome(await poster.post(eventAt(item, moment), plan.reporter, halt));
  }
  return !halt.stopping.aborted;
}
