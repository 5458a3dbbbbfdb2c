import type { Status } from '@shiplog/contract';

/** The outcome of a deployment, by which the line to it is drawn. */
export type Outcome = 'ok' | 'run' | 'bad' | 'off';

const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'ok',
  failure: 'bad',
  rejected: 'bad',
  cancelled: 'off',
};

/** Statuses before the end, and unknown ones, count as running. */
export function outcomeOf(status: Status): Outcome {
  return outcomes[status] ?? 'run';
}

/** The lines and what they say; that they differ without colour is in `graph.css`. */
export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  ok: 'succeeded',
  run: 'running or waiting',
  bad: 'failed or rejected',
  off: 'cancelled',
};
