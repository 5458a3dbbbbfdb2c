import { useMemo } from 'preact/hooks';
import { countsOf } from '../board/counts.ts';
import { board as liveBoard } from '../live/connection.ts';
import { useStore } from '../ui/store.ts';

/** How many there are of what the board shows. */
export function Counts() {
  const board = useStore(liveBoard);
  const counts = useMemo(() => countsOf(board), [board]);
  return (
    <span class="counts">
      <span>
        <b>{board?.rows.size ?? 0}</b> services
      </span>
      <span>
        <b>{board?.environments.length ?? 0}</b> environments
      </span>
      <span class={counts.running > 0 ? 'run' : ''}>
        <b>{counts.running}</b> running
      </span>
      <span class={counts.failed > 0 ? 'bad' : ''}>
        <b>{counts.failed}</b> failed
      </span>
    </span>
  );
}
