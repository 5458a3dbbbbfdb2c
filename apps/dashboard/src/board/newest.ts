import { byTime } from './event-order.ts';
import { perRow } from './per-row.ts';

/** The newest event of what a row shows; `undefined` where it has no slot. */
export const newestOf = perRow(({ slots }) =>
  Object.values(slots)
    .flatMap(({ current, next }) => (next ? [current, next] : [current]))
    .sort(byTime)
    .at(-1),
);
