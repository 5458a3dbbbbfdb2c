/** Shapes that can be told apart without colour: a filled area with a hole, or a line. */
export const shapes = {
  ok: ['M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', 'M4.6 8.3l2.3 2.3 4.6-5'],
  bad: ['M4 1h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z', 'M5 5l6 6M11 5l-6 6'],
  passed: [
    '',
    'M4.5 2h7A2.5 2.5 0 0 1 14 4.5v7a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 2 11.5v-7A2.5 2.5 0 0 1 4.5 2zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  ],
  dot: ['M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z', ''],
  run: ['', 'M8 2a6 6 0 1 1-6 6'],
  clock: ['', 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3l2 2'],
  pause: ['', 'M6 4v8M10 4v8'],
  cross: ['', 'M4.5 4.5l7 7M11.5 4.5l-7 7'],
  dash: ['', 'M4 8h8'],
  tick: ['', 'M3.5 8.5l3 3 6-7'],
  ring: ['', 'M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z'],
  doubt: ['', 'M5.3 6.2a2.7 2.7 0 1 1 3.9 2.4C8.4 9 8 9.5 8 10.3M8 13v.1'],
  open: ['', 'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z'],
  arrow: ['', 'M3 8h9M9 5l3 3-3 3'],
  chevron: ['', 'M6 4l4 4-4 4'],
  pin: ['', 'M5 2h6M6 2v5L4 10h8l-2-3V2M8 10v4'],
  stuck: ['', 'M8 2a6 6 0 1 1-6 6M8 5v3.4M8 11v.1'],
  ahead: ['', 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM5 8h5.5M8.4 5.8L10.6 8l-2.2 2.2'],
  mute: ['', 'M3 6v4h2l3 3V3L5 6zM10.5 6l4 4M14.5 6l-4 4'],
  flag: ['', 'M4 14V3h8l-2 3 2 3H4'],
  bell: ['', 'M3 12h10l-1.5-2V7a3.5 3.5 0 0 0-7 0v3zM6.8 14.2h2.4'],
  list: ['', 'M3 3.5h10M3 8h10M3 12.5h10'],
  chart: ['', 'M3 13V8M8 13V3M13 13V6'],
  copy: ['', 'M6 6h7v7H6zM10 6V3H3v7h3'],
  search: ['', 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5'],
  hide: ['', 'M2 8c2-3.5 10-3.5 12 0-2 3.5-10 3.5-12 0zM3 13L13 3'],
  settings: ['', 'M2 5h5M11 5h3M2 11h3M9 11h5M9 3a2 2 0 1 1 0 4a2 2 0 0 1 0-4zM7 9a2 2 0 1 1 0 4a2 2 0 0 1 0-4z'],
  freeze: ['', 'M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11M6.3 3.2L8 4.9l1.7-1.7M6.3 12.8L8 11.1l1.7 1.7'],
  lock: ['', 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5'],
  ban: ['', 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 3.8l8.4 8.4'],
  outage: ['', 'M9 1.5L3.5 9h4l-.7 5.5L12.5 7h-4z'],
  board: ['', 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6'],
  tag: ['', 'M2.5 7.5v-5h5l6 6-5 5zM5.3 5.3v.1'],
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
