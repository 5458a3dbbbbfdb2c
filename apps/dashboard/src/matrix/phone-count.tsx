import { teamOf } from '../board/ownership.ts';
import { pluralize } from '../board/pluralize.ts';
import { home } from '../state/address.ts';
import { useBoardContext, useShown } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

/** How many services the board shows, and how many its filters leave out. */
export function PhoneCount() {
  const { rows, columns, all } = useShown();
  const { ownership } = useBoardContext();
  const teams = new Set(rows.flatMap(({ service }) => teamOf(ownership, service) ?? []));
  const outside = all.services - rows.length;
  const hidden = all.environments - columns.length;
  const left = [
    ...(outside > 0 ? [pluralize(outside, 'service')] : []),
    ...(hidden > 0 ? [pluralize(hidden, 'environment')] : []),
  ];
  return (
    <p class="board-line">
      <b>{pluralize(rows.length, 'service')}</b>
      {teams.size > 0 && ` in ${pluralize(teams.size, 'team')}`}
      {left.length > 0 && (
        <>
          ;{' '}
          <Link to={{ filter: home.filter, columns: home.columns }}>
            {left.join(' and ')} more outside these filters
          </Link>
        </>
      )}
    </p>
  );
}
