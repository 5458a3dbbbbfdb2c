import { type Beyond, type Edge, edges } from './beyond.ts';
import type { CellPosition } from './cell-position.ts';
import type { ColumnPlaces } from './layout.ts';

const arrows = { above: '↑', below: '↓', left: '←', right: '→' } as const satisfies Record<Edge, string>;
const where = { above: 'above', below: 'below', left: 'to the left', right: 'to the right' } as const;

/** Failures that are out of sight, at the edge beyond which they are. */
export function BeyondButtons({
  beyond,
  places,
  onGo,
}: {
  readonly beyond: Partial<Record<Edge, Beyond>>;
  readonly places: ColumnPlaces;
  readonly onGo: (nearest: CellPosition) => void;
}) {
  const beside = { left: { left: `${places.nameWidth + 8}px` }, right: { right: `${places.pinnedWidth + 16}px` } };
  return (
    <>
      {edges.map((edge) => {
        const known = beyond[edge];
        return (
          known && (
            <button
              key={edge}
              type="button"
              class={`beyond ${edge}`}
              style={edge === 'left' || edge === 'right' ? beside[edge] : {}}
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
