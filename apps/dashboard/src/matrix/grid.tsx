import type { MatrixRow } from '@shiplog/contract';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { boxIn, linesUnder } from '../board/box.ts';
import type { FutureRows } from '../board/future-rows.ts';
import type { Line } from '../board/lines.ts';
import { memoizePerRow } from '../board/memoize.ts';
import type { Found } from '../board/shown.ts';
import { useBoardContext, useFacts, useFindings, useNow } from '../ui/app.ts';
import { GridHead } from './grid-head.tsx';
import { GridLine } from './grid-line.tsx';
import { useVersionHighlight } from './highlight-version.ts';
import { type FoldingLine, useGridKeyboard } from './keyboard.ts';
import { type ColumnPlan, columnLayout, type Density, rowHeightOf, topsOf, visibleRange } from './layout.ts';
import { offScreenOf, positionsOf, wholly } from './off-screen.ts';
import { OffScreenButtons } from './off-screen-buttons.tsx';
import { useVisibleArea } from './visible-area.ts';

export interface GridProps {
  readonly lines: readonly Line[];
  readonly plan: ColumnPlan;
  /** The failures to lead to; `undefined` on displays without interaction. */
  readonly failed: readonly Found[] | undefined;
  readonly density: Density;
  readonly absolute: boolean;
  /** Called when a cell is opened. */
  readonly onOpen: (service: string, environment: string) => void;
  readonly onToggle: (line: FoldingLine) => void;
  readonly onOthers: () => void;
}

const headHeight = 38;
const spareRows = 4;
const spareColumns = 2;
const nothing: readonly Found[] = [];

/** The matrix. Only visible lines and columns are in the DOM, so its size does not matter. */
export function Grid(props: GridProps) {
  const { lines, plan, failed = nothing, density, absolute, onOpen, onToggle, onOthers } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const area = useVisibleArea(scroller);
  const nowMs = useNow();
  const context = useBoardContext();
  const facts = useFacts();
  const findings = useFindings();
  const { futureRows } = context;
  const { columns } = plan;
  const layout = useMemo(() => columnLayout(area.width, plan, density), [area.width, plan, density]);
  const { nameWidth, lefts, pinnedWidth } = layout;
  const linesUnderOf = useMemo(() => memoizePerRow((row) => linesIn(row, columns, futureRows)), [columns, futureRows]);
  const tops = useMemo(() => {
    const heights = { group: density.groupHeight, healthy: density.healthyHeight };
    return topsOf(
      lines.map((line) => (line.kind === 'row' ? rowHeightOf(linesUnderOf(line.row), density) : heights[line.kind])),
    );
  }, [lines, linesUnderOf, density]);
  const keyboard = useGridKeyboard({ scroller, lines, plan, tops, layout, headHeight, onOpen, onToggle, onOthers });
  useVersionHighlight(scroller);
  // Measured by `npm run bench -- dashboard` and the browser's own tools.
  useLayoutEffect(() => void performance.mark('board-drawn'), []);
  const room = { height: area.height - headHeight, width: area.width - nameWidth - pinnedWidth };
  const inRows = visibleRange(tops, { start: area.top, length: area.height, spare: spareRows });
  const inColumns = visibleRange(lefts, { start: area.left, length: room.width, spare: spareColumns });
  const positions = useMemo(() => positionsOf(failed, lines, plan), [failed, lines, plan]);
  const offScreen = offScreenOf(positions, {
    rows: wholly(tops, area.top, room.height),
    columns: wholly(lefts, area.left, room.width),
    scrolled: layout.scrolled,
  });
  const shown = new Set(Array.from({ length: inRows.until - inRows.from }, (_, offset) => inRows.from + offset));
  // Keep the focused line in the page, or scrolling would lose the focus.
  if (keyboard.row < lines.length) shown.add(keyboard.row);
  return (
    <div class="grid-frame">
      <div
        ref={scroller}
        class={density.lineHeight === 0 ? 'grid compact' : 'grid'}
        role="treegrid"
        aria-label="What is deployed where"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1 + Number(layout.othersWidth > 0)}
        {...keyboard.handlers}
      >
        <div
          class="canvas"
          role="presentation"
          style={{
            height: `${headHeight + (tops.at(-1) ?? 0)}px`,
            width: `${nameWidth + (lefts.at(-1) ?? 0) + pinnedWidth}px`,
          }}
        >
          <GridHead plan={plan} layout={layout} height={headHeight} visible={inColumns} onOthers={onOthers} />
          {[...shown]
            .sort((one, other) => one - other)
            .map((index) => {
              const line = lines[index];
              const top = tops[index] ?? 0;
              return (
                line && (
                  <GridLine
                    key={line.key}
                    line={line}
                    index={index}
                    top={headHeight + top}
                    height={(tops[index + 1] ?? top) - top}
                    plan={plan}
                    context={context}
                    facts={facts}
                    findings={findings}
                    from={inColumns.from}
                    until={inColumns.until}
                    layout={layout}
                    width={area.width}
                    active={keyboard.row === index ? keyboard.column : undefined}
                    absolute={absolute}
                    nowMs={nowMs}
                  />
                )
              );
            })}
        </div>
      </div>
      <OffScreenButtons offScreen={offScreen} layout={layout} onGo={keyboard.move} />
    </div>
  );
}

function linesIn(row: MatrixRow, columns: readonly string[], futureRows: FutureRows): number {
  return columns.reduce((most, name) => {
    const box = boxIn(row, name, futureRows);
    return box ? Math.max(most, linesUnder(box)) : most;
  }, 0);
}
