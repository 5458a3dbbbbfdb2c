import { eventsOfRow } from './box.ts';
import { byTime } from './event-order.ts';
import { perRow } from './per-row.ts';

/** The newest event of what a row shows. */
export const newestOf = perRow((row) => eventsOfRow(row).sort(byTime).at(-1));
