import type { MatrixRow } from '@shiplog/contract';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { AheadSlots } from '../board/ahead.ts';
import { boxIn, linesUnder } from '../board/box.ts';
import { counted } from '../board/counted.ts';
import { perRow } from '../board/per-row.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Cut } from '../ui/text.tsx';
import { useWalk } from './keyboard.ts';
import { columnWidth, type Density, linesOf, visibleRange } from './layout.ts';
import { Row } from './row.tsx';
import { useSameVersions } from './same-versions.ts';
import { useSteadyOrder } from './steady-order.ts';
import { useVisibleArea } from './visible-area.ts';

export interface GridProps {
  readonly rows: readonly MatrixRow[];
  readonly aheadSlots: AheadSlots;
  readonly columns: readonly string[];
  readonly density: Density;
  readonly absolute: boolean;
  /** A cell was chosen. */
  readonly onOpen: (service: string, environment: string) => void;
}

const headHeight = 38;
const spareRows = 4;
const spareColumns = 2;

/** The matrix: only visible rows and columns are in the page, however many there are. */
export function Grid({ rows: sorted, aheadSlots, columns, density, absolute, onOpen }: GridProps) {
  const { rows, strays, update } = useSteadyOrder(sorted);
  const scroller = useRef<HTMLDivElement>(null);
  const area = useVisibleArea(scroller);
  const nowMs = useStore(useApp().connection.now);
  const { nameWidth } = density;
  const width = columnWidth(area.width, columns.length, density);
  const linesUnderOf = useMemo(() => perRow((row) => linesIn(row, columns, aheadSlots)), [columns, aheadSlots]);
  const { tops } = useMemo(() => linesOf(rows.map(linesUnderOf), density), [rows, linesUnderOf, density]);
  const lefts = useMemo(
    () => columns.map((_, index) => index * width).concat(columns.length * width),
    [columns, width],
  );
  const walk = useWalk({ scroller, rows, columns, tops, lefts, nameWidth, headHeight, onOpen });
  useSameVersions(scroller);
  // What `npm run bench -- dashboard` and the browser's own tools measure by.
  useLayoutEffect(() => void performance.mark('board-drawn'), []);
  const inRows = visibleRange(tops, { start: area.top, length: area.height, spare: spareRows });
  const inColumns = visibleRange(lefts, { start: area.left, length: area.width - nameWidth, spare: spareColumns });
  const shown = new Set(Array.from({ length: inRows.until - inRows.from }, (_, offset) => inRows.from + offset));
  // The row with the keyboard's focus stays in the page, or scrolling would lose the focus.
  if (walk.row < rows.length) shown.add(walk.row);
  return (
    <>
      <div
        ref={scroller}
        class={density.lineHeight === 0 ? 'grid compact' : 'grid'}
        role="grid"
        aria-label="What is deployed where"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        {...walk.handlers}
      >
        <div
          class="canvas"
          role="presentation"
          style={{ height: `${headHeight + (tops.at(-1) ?? 0)}px`, width: `${nameWidth + columns.length * width}px` }}
        >
          <div role="row" class="heads" aria-rowindex={1} style={{ height: `${headHeight}px` }}>
            <div role="columnheader" class="name" aria-colindex={1} style={{ width: `${nameWidth}px` }}>
              Service
            </div>
            {columns.slice(inColumns.from, inColumns.until).map((environment, offset) => (
              <div
                key={environment}
                role="columnheader"
                class="head"
                aria-colindex={inColumns.from + offset + 2}
                style={{ left: `${nameWidth + (inColumns.from + offset) * width}px`, width: `${width}px` }}
              >
                <Cut text={environment} />
              </div>
            ))}
          </div>
          {[...shown]
            .sort((one, other) => one - other)
            .map((index) => {
              const row = rows[index];
              if (!row) return undefined;
              const top = tops[index] ?? 0;
              return (
                <Row
                  key={row.service}
                  row={row}
                  aheadSlots={aheadSlots}
                  index={index}
                  top={headHeight + top}
                  height={(tops[index + 1] ?? top) - top}
                  columns={columns}
                  from={inColumns.from}
                  until={inColumns.until}
                  nameWidth={nameWidth}
                  width={width}
                  active={walk.row === index ? walk.column : undefined}
                  absolute={absolute}
                  nowMs={nowMs}
                />
              );
            })}
        </div>
      </div>
      {strays > 0 && (
        <div class="strays">
          <button type="button" class="chip" onClick={update}>
            {counted(strays, 'row')} would move. <b>Update order</b>
          </button>
        </div>
      )}
    </>
  );
}

function linesIn(row: MatrixRow, columns: readonly string[], aheadSlots: AheadSlots): number {
  return columns.reduce((most, name) => {
    const box = boxIn(row, name, aheadSlots);
    return box ? Math.max(most, linesUnder(box)) : most;
  }, 0);
}
