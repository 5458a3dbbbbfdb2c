import type { CellPosition } from './cell-position.ts';
import type { ColumnLayout } from './layout.ts';
import { type Edge, edges, type OffScreen } from './off-screen.ts';

const arrows = { above: '↑', below: '↓', left: '←', right: '→' } as const satisfies Record<Edge, string>;
const where = { above: 'above', below: 'below', left: 'to the left', right: 'to the right' } as const;

/** Buttons at the edges that lead to failures outside of the visible area. */
export function OffScreenButtons({
  offScreen,
  layout,
  onGo,
}: {
  readonly offScreen: Partial<Record<Edge, OffScreen>>;
  readonly layout: ColumnLayout;
  readonly onGo: (nearest: CellPosition) => void;
}) {
  const offsets = { left: { left: `${layout.nameWidth + 8}px` }, right: { right: `${layout.pinnedWidth + 16}px` } };
  return (
    <>
      {edges.map((edge) => {
        const known = offScreen[edge];
        return (
          known && (
            <button
              key={edge}
              type="button"
              class={`beyond strong ${edge}`}
              style={edge === 'left' || edge === 'right' ? offsets[edge] : {}}
              aria-label={`${known.count} failed ${where[edge]}`}
              onClick={() => onGo(known.nearest)}
            >
              {arrows[edge]} {known.count} failed
            </button>
          )
        );
      })}
    </>
  );
}
