import { ageOf, pluralize } from '@shiplog/text';
import { useMemo, useRef, useState } from 'preact/hooks';
import { AttentionStrip } from '../attention/attention-strip.tsx';
import {
  type Arrangement,
  arranged,
  arrangedGroupKey,
  boardLines,
  cachedRows,
  foldedCount,
  movesTo,
  steadied,
  toggledGroup,
  toggledHealthy,
} from '../board/arrangement.ts';
import { attentionOf, urgencyOf } from '../board/attention.ts';
import { type Board, emptyBoard } from '../board/board.ts';
import { type ColumnChoice, rarelyUsed } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { type Filter, wantsService } from '../board/filter.ts';
import { groupNames } from '../board/groups.ts';
import { isHealthy } from '../board/healthy.ts';
import type { Shown } from '../board/shown.ts';
import { Toolbar } from '../filters/toolbar.tsx';
import { foldingOf } from '../state/address/board.ts';
import { home } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext, useNow, usePast, useShown } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { Empty } from '../ui/empty.tsx';
import { useGrouping } from '../ui/grouping.ts';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { phone, useMedia } from '../ui/use-media.ts';
import { Grid } from './grid.tsx';
import type { FoldingLine } from './keyboard.ts';
import { type ColumnPlan, type Density, densities } from './layout.ts';

/** Columns are at least this wide if the board shows times, which are longer than ages. */
const absoluteWidthMin = 200;

/** The board: which version runs in each environment, what has failed and what is running. */
export function BoardView() {
  const { catalog, connection } = useApp();
  const { isKnown } = useStore(catalog);
  const isSettled = useStore(connection.facts.isSettled);
  const isPast = usePast() !== undefined;
  const board = useBoard();
  const isPhone = useMedia(phone);
  const density = useDensity();
  const shown = useShown();
  const { rows, columns, counts } = shown;
  const isLoadingDrift = useAddress().filter.only === 'behind' && counts.behind === undefined;
  // The catalog determines the groups, so rows that are drawn before it arrives would move.
  if (!board || !isKnown) return <p class="waiting">Loading the board …</p>;
  if (board.rows.size === 0)
    return (
      <Later name="first-steps" load={async () => (await imported(() => import('../ui/first-steps.tsx'))).FirstSteps} />
    );
  // Stuck and slow deployments come first, so rows that are drawn before these are known would also move.
  if (!isSettled && !isPast) return <p class="waiting">Loading the board …</p>;
  if (isPhone)
    return <Later name="phone" load={async () => (await imported(() => import('./phone-home.tsx'))).PhoneHome} />;
  return (
    <div class="board">
      <AttentionStrip />
      <Toolbar environments={board.environments} columns={columns} counts={counts} />
      {isLoadingDrift ? (
        <p class="waiting">{isPast ? 'Drift is known only for the current board.' : 'Loading drift …'}</p>
      ) : rows.length === 0 || columns.length === 0 ? (
        <NothingMatches />
      ) : (
        <ArrangedGrid shown={shown} density={density} />
      )}
    </div>
  );
}

function NothingMatches() {
  return (
    <Empty title="Nothing matches">
      <p>
        No services match these filters.{' '}
        <Link to={{ filter: home.filter, columns: home.columns }}>Show everything</Link>
      </p>
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

function ArrangedGrid({ shown, density }: { readonly shown: Shown; readonly density: Density }) {
  const { navigation, preferences } = useApp();
  const { board } = useAddress();
  const { absoluteTimes } = useStore(preferences);
  const arranged = useArrangement(shown);
  const change = (changed: Partial<typeof board>) => navigation.go({ board: { ...board, ...changed } }, 'replace');
  const toggle = ({ kind, group, isOpen }: FoldingLine) => {
    const key = arrangedGroupKey(group);
    change(kind === 'healthy' ? toggledHealthy(key, board) : toggledGroup({ key, group, isOpen }, board));
  };
  return (
    <>
      <BoardSummary arranged={arranged} shown={shown} />
      <Grid
        lines={arranged.lines}
        plan={arranged.plan}
        failed={shown.found.failed}
        density={density}
        absolute={absoluteTimes}
        onOpen={(service, environment) => navigation.go({ slot: { service, environment } })}
        onToggle={toggle}
        onOthers={() => change({ others: !board.others })}
      />
    </>
  );
}

interface Snapshot {
  readonly request: string;
  readonly atMs: number;
  readonly arrangement: Arrangement;
  readonly rare: ReadonlySet<string>;
}

/**
 * The board in lines and columns. Positions are fixed when the viewer filters, travels in time or requests an update.
 * After that, cells change but nothing moves, except that a failure expands a folded environment.
 */
function useArrangement(shown: Shown) {
  const board = useBoard() ?? emptyBoard;
  const nowMs = useNow();
  const past = usePast();
  const { filter, columns: choice, board: state } = useAddress();
  const context = useBoardContext();
  const [updates, setUpdates] = useState(0);
  const before = useRef<Snapshot | undefined>(undefined);
  const rowsOf = useRef(cachedRows());
  const { group, order, opened, closed, whole } = state;
  const fold = foldingOf(state, past !== undefined);
  const request = JSON.stringify([filter, choice, group, order, fold, past, updates]);
  const canFold = filter.text === undefined && filter.only === undefined && filter.services.length === 0;
  const grouping = useGrouping();
  const now = useMemo(() => {
    const { rows, columns } = shown;
    return arranged(rows, {
      nameOf: groupNames([...board.rows.keys()], grouping, context.ownership),
      isByAttention: order === 'attention',
      urgency: urgencyOf(attentionOf(rows, columns, context, nowMs)),
      isHealthy: (row) => isHealthy(row, columns, context, nowMs),
      folds: canFold && fold === 'well',
    });
  }, [shown, board, context, nowMs, grouping, order, canFold, fold]);
  const sorted = before.current?.request === request ? before.current : undefined;
  const arrangement = sorted ? steadied(sorted.arrangement, now) : now;
  const rare = withoutFailing(sorted?.rare ?? rareIn(board, shown, filter, choice, context), shown);
  const atMs = sorted?.atMs ?? nowMs;
  before.current = { request, atMs, arrangement, rare };
  const plan = useMemo(
    () => columnPlan(shown.columns, rare, state.others, context.production),
    [shown.columns, rare, state.others, context.production],
  );
  const lines = boardLines(arrangement, rowsOf.current(shown.rows), { opened, closed, whole }, canFold);
  /** The number of lines that would move if the board were sorted at this moment. */
  const moves = movesTo(now, arrangement);
  return { lines, plan, grouping, moves, atMs, update: () => setUpdates(updates + 1) };
}

/** The environments that are rarely used by the services that match by name. A text search doesn't change them. */
function rareIn(
  board: Board,
  { columns }: Shown,
  filter: Filter,
  choice: ColumnChoice,
  { promotionOrder, ownership }: BoardContext,
): ReadonlySet<string> {
  if (filter.environments.length > 0) return new Set();
  const rows = [...board.rows.values()].filter(({ service }) => wantsService(filter, service, ownership));
  return rarelyUsed(columns, rows, promotionOrder, choice);
}

/** Removes environments with failures. Returns the same set if there are no failures. */
function withoutFailing(rare: ReadonlySet<string>, { found }: Shown): ReadonlySet<string> {
  const failing = new Set(found.failed.map(({ environment }) => environment));
  const left = [...rare].filter((name) => !failing.has(name));
  return left.length === rare.size ? rare : new Set(left);
}

function columnPlan(
  columns: readonly string[],
  rare: ReadonlySet<string>,
  isUnrolled: boolean,
  production: string | undefined,
): ColumnPlan {
  const isRolled = (name: string) => !isUnrolled && rare.has(name);
  const own = columns.filter((name) => !isRolled(name));
  return {
    all: columns,
    columns: own,
    isPinned: own.length > 1 && own.at(-1) === production,
    others: columns.filter(isRolled),
    isUnrolled: isUnrolled && rare.size > 0,
  };
}

interface BoardSummaryProps {
  readonly arranged: ReturnType<typeof useArrangement>;
  readonly shown: Shown;
}

/** Says what the board shows and hides, and whether its order is up to date. */
function BoardSummary({ arranged, shown: { counts, all } }: BoardSummaryProps) {
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
