import type { Status } from '@shiplog/contract';

/** The outcome of a deployment, which determines how the line to it is drawn. */
export type Outcome = 'ok' | 'run' | 'bad' | 'off';

const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'ok',
  failure: 'bad',
  rejected: 'bad',
  cancelled: 'off',
};

/** The outcome for a status. Non-final and unknown statuses count as running. */
export function outcomeOf(status: Status): Outcome {
  return outcomes[status] ?? 'run';
}

/** Labels of the legend. `graph.css` makes sure that the lines also differ without colour. */
export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  ok: 'succeeded',
  run: 'running or waiting',
  bad: 'failed or rejected',
  off: 'cancelled',
};
