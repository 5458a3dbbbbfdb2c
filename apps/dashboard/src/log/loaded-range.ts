import type { DeploymentEvent } from '@shiplog/contract';
import { newestFirst } from '../board/event-order.ts';
import { merged } from './order.ts';

/** The loaded part of the log: every wanted event from the newest back to the edge. */
export interface LoadedRange {
  /** Newest first, each once. */
  readonly events: readonly DeploymentEvent[];
  /** The oldest event that was looked at, wanted or not; `undefined` before the first page. */
  readonly edge: DeploymentEvent | undefined;
  /** It goes back to the beginning of the log. */
  readonly isWhole: boolean;
  /**
   * Arrived, but older than the edge. Usually a page brings them. A page that was read just before they were stored does
   * not, so they are looked at again with each page.
   */
  readonly early: readonly DeploymentEvent[];
}

export const nothingLoaded: LoadedRange = { events: [], edge: undefined, isWhole: false, early: [] };
/** More early events than this are left to their pages. */
const earlyMax = 500;

export interface Page {
  readonly items: readonly DeploymentEvent[];
  /** Nothing is older. */
  readonly isLast: boolean;
}

/** The loaded range with the next older page. */
export function withPage(
  loaded: LoadedRange,
  { items, isLast }: Page,
  wants: (event: DeploymentEvent) => boolean,
): LoadedRange {
  const last = items.at(-1);
  const edge = last && (!loaded.edge || newestFirst(last, loaded.edge) > 0) ? last : loaded.edge;
  const further = { ...loaded, edge, isWhole: loaded.isWhole || isLast };
  return withArrivals({ ...further, early: [] }, [...items.filter(wants), ...loaded.early]);
}

/** The loaded range with wanted events that have just arrived, in any order. */
export function withArrivals(loaded: LoadedRange, arrived: readonly DeploymentEvent[]): LoadedRange {
  const inside = arrived.filter((event) => isInside(loaded, event));
  const outside = arrived.filter((event) => !isInside(loaded, event));
  return {
    ...loaded,
    events: merged(loaded.events, inside),
    early: [...loaded.early, ...outside].slice(-earlyMax),
  };
}

/** Whether an event lies in the loaded range by its time. */
export function isInside({ edge, isWhole }: LoadedRange, event: DeploymentEvent): boolean {
  return isWhole || (edge !== undefined && newestFirst(event, edge) <= 0);
}

/** Whether a page of the newest events reaches back to the loaded range. */
export function touches({ events }: LoadedRange, { items, isLast }: Page): boolean {
  const [newest, last] = [events[0], items.at(-1)];
  return isLast || (newest !== undefined && last !== undefined && newestFirst(last, newest) >= 0);
}

/** The newest `count` events of a loaded range; what is cut off has to be asked for again. */
export function cutTo(loaded: LoadedRange, count: number): LoadedRange {
  const events = loaded.events.slice(0, count);
  return { events, edge: events.at(-1) ?? loaded.edge, isWhole: false, early: [] };
}
