import { pluralize } from '@shiplog/text';
import type { ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import { AttentionStrip } from '../attention/attention-strip.tsx';
import { foldedCount, toggledLine } from '../board/arrangement.ts';
import { toggledStage } from '../board/columns.ts';
import type { Shown } from '../board/shown.ts';
import { Toolbar } from '../filters/toolbar.tsx';
import type { BoardState } from '../state/address/board.ts';
import { changesOf, home } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, usePast, useShown } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { useArrangement } from '../ui/use-arrangement.ts';
import { phone, useMedia } from '../ui/use-media.ts';
import { Grid } from './grid.tsx';
import { HoldsBand } from './holds-band.tsx';
import { type Density, densities } from './layout.ts';
import { MissingProduction } from './missing-production.tsx';

/** Columns are at least this wide if the board shows times, which are longer than ages. */
const absoluteWidthMin = 208;

/** The board: which version runs in each environment, what has failed and what is running, as a grid or as progress. */
export function BoardView({ loadProgress }: { readonly loadProgress: () => Promise<ComponentType> }) {
  const { catalog, connection, notices } = useApp();
  const { isKnown } = useStore(catalog);
  const areNoticesKnown = useStore(notices) !== undefined;
  const isSettled = useStore(connection.facts.isSettled);
  const isPast = usePast() !== undefined;
  const board = useBoard();
  const isPhone = useMedia(phone);
  const shown = useShown();
  const { rows, columns, counts } = shown;
  const { filter, board: state } = useAddress();
  const isDriftUnknown = filter.only === 'behind' && counts.behind === undefined;
  const isProgress = state.layout === 'progress';
  // The catalog determines the groups, so rows that are drawn before it arrives would move.
  if (!board || !isKnown || !areNoticesKnown) return <p class="waiting">Loading the board …</p>;
  if (board.rows.size === 0)
    return (
      <Later
        name="first-steps"
        load={async () => (await imported(() => import('../first-run/first-steps.tsx'))).FirstSteps}
      />
    );
  // Stuck and slow deployments come first, so rows that are drawn before these are known would also move.
  if (!isSettled && !isPast) return <p class="waiting">Loading the board …</p>;
  if (isPhone && !isProgress)
    return (
      <>
        <NextSteps />
        <HoldsBand />
        <Later name="phone" load={async () => (await imported(() => import('./phone-home.tsx'))).PhoneHome} />
      </>
    );
  return (
    <div class="board">
      <NextSteps />
      <HoldsBand />
      {!isPhone && <AttentionStrip />}
      <Toolbar environments={board.environments} columns={columns} counts={counts} />
      <MissingProduction />
      {isDriftUnknown && isPast ? (
        <Empty title="Drift is known only for the current board" />
      ) : isDriftUnknown ? (
        <p class="waiting">Loading drift …</p>
      ) : rows.length === 0 || columns.length === 0 ? (
        <NothingMatches />
      ) : isProgress ? (
        <Later name="progress" load={loadProgress} />
      ) : (
        <ArrangedGrid shown={shown} />
      )}
    </div>
  );
}

function NextSteps() {
  const { firstSteps } = useStore(useApp().preferences);
  const isPast = usePast() !== undefined;
  if (!firstSteps || isPast) return null;
  return (
    <Later
      name="next-steps"
      load={async () => (await imported(() => import('../first-run/next-steps.tsx'))).NextSteps}
      meanwhile=""
    />
  );
}

function NothingMatches() {
  const { filter } = useAddress();
  return (
    <Empty title="Nothing matches">
      <p>
        No services match these filters.{' '}
        <Link to={{ filter: home.filter, columns: home.columns }}>Show everything</Link>
      </p>
      {filter.only === 'failed' && (
        <p>
          Failures that were retried or replaced are no longer on the board.{' '}
          <Link to={changesOf({ filter, range: { name: '7d' } })}>All failures of the last 7 days</Link>
        </p>
      )}
    </Empty>
  );
}

function useDensity(): Density {
  const { density, absoluteTimes } = useStore(useApp().preferences);
  return useMemo(() => {
    const spaced = densities[density];
    return {
      ...spaced,
      ...(absoluteTimes && { columnWidthMin: Math.max(spaced.columnWidthMin, absoluteWidthMin) }),
    };
  }, [density, absoluteTimes]);
}

function ArrangedGrid({ shown }: { readonly shown: Shown }) {
  const { navigation } = useApp();
  const { board } = useAddress();
  const density = useDensity();
  const { lines, columns, grouping, prefixOf } = useArrangement(shown);
  const change = (changed: Partial<BoardState>) => navigation.go({ board: { ...board, ...changed } }, 'replace');
  const groups = lines.filter((line) => line.kind === 'group' && line.group.name !== undefined).length;
  return (
    <Grid
      {...{ lines, columns, density, prefixOf }}
      environments={shown.columns}
      failed={shown.found.failed}
      summary={
        <BoardSummary
          shown={shown}
          groups={groups > 0 ? pluralize(groups, grouping === 'team' ? 'team' : 'group') : ''}
          folded={foldedCount(lines)}
        />
      }
      onOpen={(service, environment) => navigation.go({ slot: { service, environment } })}
      onToggle={(line) => change(toggledLine(line, board))}
      onFold={(column) => change(toggledStage(column, board))}
    />
  );
}

interface BoardSummaryProps {
  readonly shown: Shown;
  readonly groups: string;
  readonly folded: number;
}

/** Says what the board shows and hides. */
function BoardSummary({ shown: { counts, all }, groups, folded }: BoardSummaryProps) {
  const outside = all.services - counts.services;
  const parts = [
    ...(groups === '' ? [] : [`in ${groups}`]),
    ...(folded > 0 ? [`${folded} folded`] : []),
    ...(outside > 0 ? [`${outside} more outside this filter`] : []),
  ];
  return (
    <span class="board-line stack soft">
      <b>{pluralize(counts.services, 'service')}</b>
      <span class="cut" title={parts.join(', ')}>
        {parts.join(', ')}
      </span>
    </span>
  );
}
