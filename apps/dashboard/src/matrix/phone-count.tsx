import { counted } from '../board/counted.ts';
import { teamOf } from '../board/whose.ts';
import { home } from '../state/address.ts';
import { useShown, useSurroundings } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

/** How many services the board shows, and how many its filters leave out. */
export function PhoneCount() {
  const { rows, columns, all } = useShown();
  const { whose } = useSurroundings();
  const teams = new Set(rows.flatMap(({ service }) => teamOf(whose, service) ?? []));
  const outside = all.services - rows.length;
  const hidden = all.environments - columns.length;
  const left = [
    ...(outside > 0 ? [counted(outside, 'service')] : []),
    ...(hidden > 0 ? [counted(hidden, 'environment')] : []),
  ];
  return (
    <p class="board-line">
      <b>{counted(rows.length, 'service')}</b>
      {teams.size > 0 && ` in ${counted(teams.size, 'team')}`}
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
