import { useMemo } from 'preact/hooks';
import { AttentionStrip } from '../attention/attention-strip.tsx';
import { Toolbar } from '../filters/toolbar.tsx';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, usePast, useShown } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { phone, useMedia } from '../ui/use-media.ts';
import { ArrangedGrid } from './arranged-grid.tsx';
import { type Density, densities } from './layout.ts';

/** An instant is longer than an age. */
const absoluteWidthMin = 200;

/** The board: which version runs where, what is broken, what is moving. */
export function BoardView() {
  const { catalog, attentionFacts } = useApp();
  const { isKnown } = useStore(catalog);
  const isSettled = useStore(attentionFacts.isSettled);
  const isPast = usePast() !== undefined;
  const board = useBoard();
  const isPhone = useMedia(phone);
  const density = useDensity();
  const shown = useShown();
  const { rows, columns, counts } = shown;
  const isAsked = useAddress().filter.only === 'behind' && counts.behind === undefined;
  // The catalog decides the groups: rows drawn before it arrives would move.
  if (!board || !isKnown) return <p class="waiting">Loading the board …</p>;
  if (board.rows.size === 0)
    return <Later name="first-steps" load={async () => (await import('../ui/first-steps.tsx')).FirstSteps} />;
  if (isPhone) return <Later name="phone" load={async () => (await import('./phone-home.tsx')).PhoneHome} />;
  // So would rows that turn out to be stuck or slow, which come first.
  if (!isSettled && !isPast) return <p class="waiting">Loading the board …</p>;
  return (
    <div class="board">
      <AttentionStrip />
      <Toolbar environments={board.environments} columns={columns} counts={counts} />
      {isAsked ? (
        <p class="waiting">Loading drift …</p>
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
