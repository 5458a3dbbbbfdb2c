/** Shapes that are distinguishable without colour: a filled area with a hole, or a line. */
export const shapes = {
  ok: ['M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', 'M4.6 8.3l2.3 2.3 4.6-5'],
  bad: ['M4 1h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z', 'M5 5l6 6M11 5l-6 6'],
  dot: ['M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z', ''],
  run: ['', 'M8 2a6 6 0 1 1-6 6'],
  clock: ['', 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3l2 2'],
  pause: ['', 'M6 4v8M10 4v8'],
  cross: ['', 'M4.5 4.5l7 7M11.5 4.5l-7 7'],
  dash: ['', 'M4 8h8'],
  tick: ['', 'M3.5 8.5l3 3 6-7'],
  ring: ['', 'M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z'],
  arrow: ['', 'M3 8h9M9 5l3 3-3 3'],
  chevron: ['', 'M6 4l4 4-4 4'],
  pin: ['', 'M5 2h6M6 2v5L4 10h8l-2-3V2M8 10v4'],
  stuck: ['', 'M8 2a6 6 0 1 1-6 6M8 5v3.4M8 11v.1'],
  ahead: ['', 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM5 8h5.5M8.4 5.8L10.6 8l-2.2 2.2'],
  mute: ['', 'M3 6v4h2l3 3V3L5 6zM10.5 6l4 4M14.5 6l-4 4'],
  flag: ['', 'M4 14V3h8l-2 3 2 3H4'],
  list: ['', 'M3 3.5h10M3 8h10M3 12.5h10'],
  chart: ['', 'M3 13V8M8 13V3M13 13V6'],
  dots: ['', 'M3 8h.1M8 8h.1M13 8h.1'],
};

/** @type {Record<string, Look>} */
const statuses = {
  pending: ['ring', 'pending'],
  queued: ['clock', 'queued'],
  waiting: ['pause', 'waiting'],
  'in-progress': ['run', 'running'],
  success: ['ok', 'succeeded'],
  failure: ['bad', 'failed'],
  cancelled: ['dash', 'cancelled'],
  rejected: ['cross', 'rejected'],
};

/**
 * The mark and label for a deployment status. The label of an unknown status is the status itself.
 * @param {string} status
 * @returns {Look}
 */
export function statusLook(status) {
  return (Object.hasOwn(statuses, status) && statuses[status]) || ['dot', status];
}
