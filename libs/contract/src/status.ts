/** In the order of §2 Status. The order is part of the contract, because the status distribution uses it. */
export const statuses = [
  'pending',
  'queued',
  'waiting',
  'in-progress',
  'success',
  'failure',
  'cancelled',
  'rejected',
] as const;

export type Status = (typeof statuses)[number];

export const statusMeanings: Readonly<Record<Status, string>> = {
  pending: 'created, no work begun',
  queued: 'accepted, waiting in line, not running',
  waiting: 'blocked on an approval or wait-timer gate, not started',
  'in-progress': 'actively running',
  success: 'completed successfully',
  failure: 'ran and ended unsuccessfully',
  cancelled: 'stopped before completing',
  rejected: 'denied at an approval gate, never ran',
};

/** Statuses that can be the `current` of a matrix slot (§2). */
export const effectiveStatuses = ['in-progress', 'success', 'failure'] as const satisfies readonly Status[];
