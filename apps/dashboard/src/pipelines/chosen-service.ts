import type { Board } from '../board/board.ts';
import { type Filter, globMatches } from '../board/filter.ts';

/** The service that a filter names. A pattern counts only if a service has exactly that name. */
export function chosenService({ services }: Filter, board: Board | undefined): string | undefined {
  const [name, ...others] = services;
  if (name === undefined || others.length > 0) return undefined;
  if (board?.rows.has(name)) return name;
  if (/[*?]/.test(name)) return undefined;
  // Filters ignore case, the log doesn't.
  const likely = [...(board?.rows.keys() ?? [])].filter((other) => globMatches(name, other));
  return likely.length === 1 ? likely[0] : name;
}
