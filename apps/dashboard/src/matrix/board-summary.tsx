import { ageOf, pluralize } from '@shiplog/text';
import { foldedCount } from '../board/lines.ts';
import type { Counts } from '../board/shown.ts';
import { useNow } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import type { ArrangedBoard } from './use-arrangement.ts';

interface BoardSummaryProps {
  readonly arranged: ArrangedBoard;
  /** The counts under the filters, and of the whole board. */
  readonly counts: Counts;
  readonly all: Pick<Counts, 'services'>;
}

/** What the board shows and leaves out, and whether its order is up to date. */
export function BoardSummary({ arranged, counts, all }: BoardSummaryProps) {
  const { lines, grouping, moves, atMs, update } = arranged;
  const nowMs = useNow();
  useCommand('update-order', moves > 0 ? update : undefined);
  const groups = lines.filter((line) => line.kind === 'group' && line.group.name !== undefined).length;
  const folded = foldedCount(lines);
  const outside = all.services - counts.services;
  const age = ageOf(atMs, nowMs);
  return (
    <p class="board-line soft">
      <span>
        <b>{pluralize(counts.services, 'service')}</b>
        {groups > 0 && ` in ${pluralize(groups, grouping === 'team' ? 'team' : 'group')}`}
        {folded > 0 && `, ${folded} folded`}
        {outside > 0 && `; ${outside} more outside this filter`}
      </span>
      {moves > 0 && (
        <span>
          Order is {age === 'now' ? 'seconds' : age} old, {pluralize(moves, 'row')} would move.{' '}
          <button type="button" class="as-link" onClick={update}>
            Update order
          </button>
        </span>
      )}
    </p>
  );
}
