import { useMemo } from 'preact/hooks';
import { Toolbar } from '../filters/toolbar.tsx';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useShown } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Link } from '../ui/link.tsx';
import { EnvironmentPicker } from './environment-picker.tsx';
import { FoundList } from './found-list.tsx';
import { Grid } from './grid.tsx';
import { boardWidth, type Density, densities } from './layout.ts';
import { useMedia } from './use-media.ts';

const phone = '(max-width: 640px)';
/** On a phone the one environment needs the room. */
const phoneNameWidth = 136;
/** An instant is longer than an age. */
const absoluteWidthMin = 200;

/** Services by environments: which version is where, is anything broken, is anything moving. */
export function BoardView() {
  const { navigation, preferences, connection, aheadSlots } = useApp();
  const board = useStore(connection.board);
  const { filter, picked, quiet } = useAddress();
  const { absoluteTimes } = useStore(preferences);
  const ahead = useStore(aheadSlots);
  const isPhone = useMedia(phone);
  const density = useDensity(isPhone);
  const { rows, columns, found, counts } = useShown();
  const hasRoom = useMedia(`(min-width: ${boardWidth(columns.length, density)}px)`);
  const alone = columns.find((name) => name === picked) ?? columns[0];
  const drawn = useMemo(
    () => (isPhone ? columns.filter((name) => name === alone) : columns),
    [isPhone, columns, alone],
  );
  if (!board) return <p class="waiting">Asking for the board …</p>;
  if (board.rows.size === 0) return <FirstSteps />;
  const kind = filter.only ?? 'failed';
  const isList = isPhone && filter.only !== undefined;
  const isCut = isList || (isPhone ? columns.length > 1 : !hasRoom);
  return (
    <div class="board">
      {!quiet && <Toolbar environments={board.environments} columns={columns} counts={counts} />}
      {rows.length === 0 || columns.length === 0 ? (
        <NothingMatches />
      ) : (
        <>
          {isCut && <FoundList key={`${kind} ${isList}`} kind={kind} found={found[kind]} isWhole={isList} />}
          {isPhone && !isList && <EnvironmentPicker columns={columns} picked={drawn[0]} failed={found.failed} />}
          {!isList && (
            <Grid
              rows={rows}
              aheadSlots={ahead}
              columns={drawn}
              density={density}
              absolute={absoluteTimes}
              onOpen={(service, environment) => navigation.go({ slot: { service, environment } })}
            />
          )}
        </>
      )}
    </div>
  );
}

function NothingMatches() {
  return (
    <Empty title="Nothing matches">
      <p>
        No service has what these filters ask for.{' '}
        <Link to={{ filter: home.filter, columns: home.columns }}>Show everything</Link>
      </p>
    </Empty>
  );
}

function useDensity(isPhone: boolean): Density {
  const { quiet } = useAddress();
  const { density, absoluteTimes } = useStore(useApp().preferences);
  return useMemo(() => {
    const spaced = densities[quiet ? 'wall' : density];
    return {
      ...spaced,
      ...(isPhone && { nameWidth: phoneNameWidth }),
      ...(absoluteTimes && { columnWidthMin: Math.max(spaced.columnWidthMin, absoluteWidthMin) }),
    };
  }, [quiet, density, absoluteTimes, isPhone]);
}
