import type { Status } from '@shiplog/contract';

/** How the line to a deployment looks, by what became of it. */
export type Outcome = 'ok' | 'run' | 'bad' | 'off';

const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'ok',
  failure: 'bad',
  rejected: 'bad',
  cancelled: 'off',
};

/** What has not ended yet, and a status that nobody knows, is under way. */
export function outcomeOf(status: Status): Outcome {
  return outcomes[status] ?? 'run';
}

/** The lines and what they say; that they differ without colour is in `style/swimlanes.css`. */
export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  ok: 'succeeded',
  run: 'running or waiting',
  bad: 'failed or rejected',
  off: 'cancelled',
};
