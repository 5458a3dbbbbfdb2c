import type { Status } from '@shiplog/contract';

/** Determines how the line to a deployment is drawn. */
export type Outcome = 'ok' | 'run' | 'bad' | 'off';

const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'ok',
  failure: 'bad',
  rejected: 'bad',
  cancelled: 'off',
};

/** Non-final and unknown statuses count as running. */
export function outcomeOf(status: Status): Outcome {
  return outcomes[status] ?? 'run';
}

/** The lines also differ without colour, in `graph.css`. */
export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  ok: 'succeeded',
  run: 'running or waiting',
  bad: 'failed or rejected',
  off: 'cancelled',
};
