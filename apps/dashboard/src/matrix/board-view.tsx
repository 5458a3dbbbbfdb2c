import { useMemo } from 'preact/hooks';
import { type Address, home } from '../address.ts';
import type { Board } from '../board/board.ts';
import { columnOrder } from '../board/columns.ts';
import { wantsEnvironment, wantsRow } from '../board/filter.ts';
import { perRow } from '../board/per-row.ts';
import { Toolbar } from '../filters/toolbar.tsx';
import { ladder, board as liveBoard } from '../live/connection.ts';
import { go, linkTo, useAddress } from '../navigation.ts';
import { preferences } from '../preferences.ts';
import { Empty } from '../ui/empty.tsx';
import { useStore } from '../ui/store.ts';
import { EnvironmentPicker, useIsPhone } from './environment-picker.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Grid } from './grid.tsx';
import { densities } from './layout.ts';

/** Services by environments: which version is where, is anything broken, is anything moving. */
export function BoardView() {
  const board = useStore(liveBoard);
  const address = useAddress();
  const { density, absoluteTimes } = useStore(preferences);
  const order = useStore(ladder);
  const isPhone = useIsPhone();
  const { filter, quiet } = address;
  const columns = useMemo(
    () => (board ? columnsOf(board, order, address) : []),
    [board?.environments, order, address.columns, filter],
  );
  const picked = isPhone ? columns.filter((name) => name === (address.picked ?? columns[0])) : columns;
  const wants = useMemo(() => perRow((row) => wantsRow(filter, row, picked)), [filter, picked.join('\n')]);
  const rows = useMemo(() => [...(board?.rows.values() ?? [])].filter(wants), [board, wants]);
  const spacing = useMemo(() => {
    const spaced = densities[quiet ? 'wall' : density];
    return isPhone ? { ...spaced, nameWidth: phoneNameWidth } : spaced;
  }, [quiet, density, isPhone]);
  if (!board) return <p class="waiting">Asking for the board …</p>;
  if (board.rows.size === 0) return <FirstSteps />;
  return (
    <div class="board">
      {!quiet && <Toolbar environments={board.environments} columns={columns} />}
      {isPhone && <EnvironmentPicker columns={columns} picked={picked[0]} />}
      {rows.length === 0 || picked.length === 0 ? (
        <Empty title="Nothing matches">
          <p>
            No service has what these filters ask for.{' '}
            <a href={linkTo({ filter: home.filter, columns: home.columns })}>Show everything</a>
          </p>
        </Empty>
      ) : (
        <Grid
          rows={rows}
          columns={picked}
          density={spacing}
          absolute={absoluteTimes}
          onOpen={(service, environment) => go({ slot: { service, environment } })}
        />
      )}
    </div>
  );
}

/** On a phone the one environment needs the room. */
const phoneNameWidth = 136;

function columnsOf({ environments }: Board, ladderOrder: readonly string[], { columns, filter }: Address): string[] {
  return columnOrder(environments, ladderOrder, columns).filter((name) => wantsEnvironment(filter, name));
}
