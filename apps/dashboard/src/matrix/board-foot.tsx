import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useMemo } from 'preact/hooks';
import type { Line } from '../board/arrangement.ts';
import type { SlotBox } from '../board/box.ts';
import type { Column } from '../board/columns.ts';
import { memo } from '../ui/memo.ts';
import type { CellPosition } from './keyboard.ts';
import { type ColumnLayout, fullyVisible } from './layout.ts';
import { countsBeyond, type Edge, edges, nearestBeyond, positionsOf } from './off-screen.ts';
import { useScrolled, type VisibleArea } from './visible-area.ts';

const legend = [
  ['ok', 'succeeded'],
  ['run', 'running'],
  ['bad', 'failed'],
  ['pause', 'waiting'],
  ['ring', 'pending'],
  ['outage', 'outage'],
  ['doubt', 'data quality'],
] as const satisfies readonly (readonly [Shape, string])[];

const arrows = { above: '↑', below: '↓', left: '←', right: '→' } as const satisfies Record<Edge, string>;
const where = { above: 'above', below: 'below', left: 'to the left', right: 'to the right' } as const;

interface BoardFootProps {
  readonly failed: readonly SlotBox[];
  readonly lines: readonly Line[];
  readonly columns: readonly Column[];
  readonly tops: readonly number[];
  readonly layout: ColumnLayout;
  readonly area: VisibleArea;
  /** The size of the area without the header, the names and the pinned columns. */
  readonly room: { readonly width: number; readonly height: number };
  readonly onGo: (nearest: CellPosition) => void;
}

/** Buttons that scroll to failures off screen, and what the marks mean. */
export function BoardFoot({ failed, lines, columns, tops, layout, area, room, onGo }: BoardFootProps) {
  const positions = useMemo(() => positionsOf(failed, lines, columns), [failed, lines, columns]);
  const visible = () => {
    const { top, left } = area.position.value;
    return {
      rows: fullyVisible(tops, top, room.height),
      columns: fullyVisible(layout.lefts, left, room.width),
      scrolled: layout.scrolled,
    };
  };
  const counts = useScrolled(area, () => countsBeyond(positions, visible()));
  const go = (edge: Edge) => {
    const nearest = nearestBeyond(edge, positions, visible());
    if (nearest) onGo(nearest);
  };
  return (
    <div class="board-foot row soft fine">
      {edges.map((edge) => {
        const count = counts[edge];
        return (
          count > 0 && (
            <button
              key={edge}
              type="button"
              class="beyond nowrap strong"
              aria-label={`${count} failed ${where[edge]}`}
              onClick={() => go(edge)}
            >
              {arrows[edge]} {count} failed
            </button>
          )
        );
      })}
      <span class="space" />
      <Legend />
    </div>
  );
}

const Legend = memo(() => (
  <ul class="row gap-16" aria-label="Legend">
    {legend.map(([shape, label]) => (
      <li key={shape} class={`row gap-4 ${shape}`}>
        <Mark shape={shape} />
        {label}
      </li>
    ))}
    <li>— never deployed</li>
  </ul>
));
