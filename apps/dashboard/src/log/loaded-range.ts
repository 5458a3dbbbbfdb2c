import type { DeploymentEvent } from '@shiplog/contract';
import { newestFirst } from '../board/board.ts';

/** The loaded part of the log: all matching events, from the newest back to `edge`. */
export interface LoadedRange {
  /** The loaded events, newest first and without duplicates. */
  readonly events: readonly DeploymentEvent[];
  /** The oldest event that was read, matching or not; `undefined` before the first page. */
  readonly edge: DeploymentEvent | undefined;
  readonly isWhole: boolean;
  /** Arrived events older than `edge`. Merged into each page, which may have been read before they were stored. */
  readonly early: readonly DeploymentEvent[];
}

export const nothingLoaded: LoadedRange = { events: [], edge: undefined, isWhole: false, early: [] };
/** Keeps at most this many early events. Pages that are requested later include the others. */
const earlyMax = 500;

export interface Page {
  readonly items: readonly DeploymentEvent[];
  readonly isLast: boolean;
}

export function withPage(
  loaded: LoadedRange,
  { items, isLast }: Page,
  wants: (event: DeploymentEvent) => boolean,
): LoadedRange {
  const last = items.at(-1);
  const edge = last && (!loaded.edge || newestFirst(last, loaded.edge) > 0) ? last : loaded.edge;
  const extended = { ...loaded, edge, isWhole: loaded.isWhole || isLast };
  return withArrivals({ ...extended, early: [] }, [...items.filter(wants), ...loaded.early]);
}

export function withArrivals(loaded: LoadedRange, arrived: readonly DeploymentEvent[]): LoadedRange {
  const inside = arrived.filter((event) => isInside(loaded, event));
  const outside = arrived.filter((event) => !isInside(loaded, event));
  return {
    ...loaded,
    events: merged(loaded.events, inside),
    early: [...loaded.early, ...outside].slice(-earlyMax),
  };
}

export function isInside({ edge, isWhole }: LoadedRange, event: DeploymentEvent): boolean {
  return isWhole || (edge !== undefined && newestFirst(event, edge) <= 0);
}

/** Whether a page of the newest events leaves no gap to the loaded range. */
export function touches({ events }: LoadedRange, { items, isLast }: Page): boolean {
  const [newest, last] = [events[0], items.at(-1)];
  return isLast || (newest !== undefined && last !== undefined && newestFirst(last, newest) >= 0);
}

/** The newest `count` events of a loaded range; older ones have to be loaded again. */
export function cutTo(loaded: LoadedRange, count: number): LoadedRange {
  const events = loaded.events.slice(0, count);
  return { events, edge: events.at(-1) ?? loaded.edge, isWhole: false, early: [] };
}

/** Merges events into a list that is newest first, without duplicates. `more` may be unsorted and have duplicates. */
export function merged(
  sorted: readonly DeploymentEvent[],
  more: readonly DeploymentEvent[],
): readonly DeploymentEvent[] {
  const known = new Set(sorted.map(({ id }) => id));
  const added = new Map(more.filter(({ id }) => !known.has(id)).map((event) => [event.id, event]));
  if (added.size === 0) return sorted;
  const queue = [...added.values()].sort(newestFirst);
  const result: DeploymentEvent[] = [];
  let at = 0;
  for (const event of sorted) {
    for (let next = queue[at]; next && newestFirst(next, event) < 0; next = queue[at]) {
      result.push(next);
      at += 1;
    }
    result.push(event);
  }
  return [...result, ...queue.slice(at)];
}
