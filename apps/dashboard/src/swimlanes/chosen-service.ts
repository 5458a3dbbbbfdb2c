import type { MatrixRow } from '@shiplog/contract';
import type { Board } from '../board/board.ts';
import { newestFirst } from '../board/event-order.ts';
import { type Filter, globMatches } from '../board/filter.ts';
import { newestOf } from '../board/newest.ts';

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

/** The services to choose from, the one with the newest event first, narrowed by the filter's patterns and a typed text. */
export function servicesToChoose(board: Board, { services }: Filter, text: string): MatrixRow[] {
  const typed = text.trim().toLowerCase();
  return [...board.rows.values()]
    .filter(({ service }) => services.length === 0 || services.some((glob) => globMatches(glob, service)))
    .filter(({ service }) => service.toLowerCase().includes(typed))
    .map((row) => ({ row, newest: newestOf(row) }))
    .sort((left, right) =>
      left.newest && right.newest
        ? newestFirst(left.newest, right.newest)
        : Number(!left.newest) - Number(!right.newest),
    )
    .map(({ row }) => row);
}
