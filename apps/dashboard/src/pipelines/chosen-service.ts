import type { Board } from '../board/board.ts';
import { type Filter, globMatches } from '../board/filter.ts';

/** The one service that a filter names. A pattern names none, unless a service has exactly this name. */
export function chosenService({ services }: Filter, board: Board | undefined): string | undefined {
  const [name, ...others] = services;
  if (name === undefined || others.length > 0) return undefined;
  if (board?.rows.has(name)) return name;
  if (/[*?]/.test(name)) return undefined;
  // A filter does not look at case, the log does.
  const likely = [...(board?.rows.keys() ?? [])].filter((other) => globMatches(name, other));
  return likely.length === 1 ? likely[0] : name;
}
