import type { DeploymentEvent } from '@shiplog/contract';
import { newestFirst } from '../board/event-order.ts';

/** Merges events into a list that is newest first, each id once; `more` may be in any order and have duplicates. */
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
