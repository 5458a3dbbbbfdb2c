import type { DeploymentEvent } from '@shiplog/contract';
import { newestFirst } from '../board/event-order.ts';
import { merged } from './order.ts';

/** What is loaded of the log: everything that is wanted from its newest event back to the edge. */
export interface Stretch {
  /** Newest first, each once. */
  readonly events: readonly DeploymentEvent[];
  /** The oldest event that was looked at, wanted or not; `undefined` before the first page. */
  readonly edge: DeploymentEvent | undefined;
  /** It goes back to the beginning of the log. */
  readonly isWhole: boolean;
  /**
   * Arrived, but older than the edge. Their page brings them as a rule; a page that was read just before they were
   * stored does not, so they are looked at again with each page.
   */
  readonly early: readonly DeploymentEvent[];
}

export const nothingLoaded: Stretch = { events: [], edge: undefined, isWhole: false, early: [] };
/** More early events than this are left to their pages. */
const earlyMax = 500;

export interface Page {
  readonly items: readonly DeploymentEvent[];
  /** Nothing is older. */
  readonly isLast: boolean;
}

/** The stretch with the next older page. */
export function withPage(
  stretch: Stretch,
  { items, isLast }: Page,
  wants: (event: DeploymentEvent) => boolean,
): Stretch {
  const last = items.at(-1);
  const edge = last && (!stretch.edge || newestFirst(last, stretch.edge) > 0) ? last : stretch.edge;
  const further = { ...stretch, edge, isWhole: stretch.isWhole || isLast };
  return withArrivals({ ...further, early: [] }, [...items.filter(wants), ...stretch.early]);
}

/** The stretch with wanted events that have just come, in any order. */
export function withArrivals(stretch: Stretch, arrived: readonly DeploymentEvent[]): Stretch {
  const inside = arrived.filter((event) => isInside(stretch, event));
  const outside = arrived.filter((event) => !isInside(stretch, event));
  return {
    ...stretch,
    events: merged(stretch.events, inside),
    early: [...stretch.early, ...outside].slice(-earlyMax),
  };
}

/** Whether an event belongs to the stretch by its place. */
export function isInside({ edge, isWhole }: Stretch, event: DeploymentEvent): boolean {
  return isWhole || (edge !== undefined && newestFirst(event, edge) <= 0);
}

/** Whether nothing is between a page of the newest events and the stretch. */
export function touches({ events }: Stretch, { items, isLast }: Page): boolean {
  const [newest, last] = [events[0], items.at(-1)];
  return isLast || (newest !== undefined && last !== undefined && newestFirst(last, newest) >= 0);
}

/** The newest `count` events of a stretch; what is cut off is to be asked for again. */
export function cutTo(stretch: Stretch, count: number): Stretch {
  const events = stretch.events.slice(0, count);
  return { events, edge: events.at(-1) ?? stretch.edge, isWhole: false, early: [] };
}
