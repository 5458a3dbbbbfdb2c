import type { Board } from '../board/board.ts';

/** Whether a slot of the board before is gone: events never take one away, clearing the log does, and its retention. */
export function hasLost(before: Board, after: Board): boolean {
  return [...before.rows].some(([service, row]) => {
    const left = after.rows.get(service);
    if (left === row) return false;
    return !left || Object.keys(row.slots).some((environment) => !Object.hasOwn(left.slots, environment));
  });
}
