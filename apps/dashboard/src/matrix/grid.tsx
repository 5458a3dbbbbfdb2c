import type { MatrixRow } from '@shiplog/contract';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Line } from '../board/arrangement.ts';
import { lagIn } from '../board/attention.ts';
import { boxIn, type SlotBox } from '../board/box.ts';
import type { Column } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { memoizePerRow } from '../board/memoize.ts';
import { stageBoxOf } from '../board/stage-box.ts';
import { groupTitle } from '../board/titles.ts';
import { useStore } from '../state/store.ts';
import { useApp, useBoardContext, useNow } from '../ui/app.ts';
import { BoardFoot } from './board-foot.tsx';
import { hasThirdLine } from './cell.tsx';
import { GridHead } from './grid-head.tsx';
import { GroupRow, HealthyRow } from './group-row.tsx';
import { useVersionHighlight } from './highlight-version.ts';
import { type GridActions, useGridKeyboard } from './keyboard.ts';
import {
  columnLayout,
  type Density,
  indexesIn,
  type LineLayout,
  nameWidthIn,
  rowHeightOf,
  topsOf,
  visibleRange,
} from './layout.ts';
import { Row } from './row.tsx';
import { hasThirdStageLine } from './stage-cell.tsx';
import { useScrolled, useVisibleArea } from './visible-area.ts';

interface GridProps extends GridActions {
  readonly lines: readonly Line[];
  readonly columns: readonly Column[];
  /** Every environment of the view. */
  readonly environments: readonly string[];
  readonly failed: readonly SlotBox[];
  readonly density: Density;
  /** The beginning of the names in a group that its header shows. */
  readonly prefixOf: (service: string) => string;
  /** The summary above the names. */
  readonly summary: ComponentChildren;
}

const headHeight = 52;
const spareRows = 4;
const spareColumns = 2;

/** The matrix. Only visible lines and columns are in the DOM, so the size of the matrix doesn't matter. */
export function Grid({ lines, columns, environments, failed, density, prefixOf, summary, ...actions }: GridProps) {
  const { absoluteTimes: absolute, nameWidth: dragged } = useStore(useApp().preferences);
  const scroller = useRef<HTMLDivElement>(null);
  const area = useVisibleArea(scroller);
  const nowMs = useNow();
  const context = useBoardContext();
  const { production } = context.stages;
  const layout = useMemo(() => {
    const isProduction = ({ environments: [name = ''] }: Column) => production.has(name);
    return columnLayout(area.width, {
      columns,
      pinned: columns.length - columns.findLastIndex((column) => !isProduction(column)) - 1,
      nameWidth: nameWidthIn(area.width, dragged),
      columnWidthMin: density.columnWidthMin,
    });
  }, [area.width, columns, production, density, dragged]);
  const { nameWidth, lefts, pinnedWidth } = layout;
  const isTall = useMemo(() => memoizePerRow((row) => isTallIn(row, columns, context)), [columns, context]);
  const tops = useMemo(() => {
    const heights = { group: density.groupHeight, healthy: density.healthyHeight };
    return topsOf(
      lines.map((line) => (line.kind === 'row' ? rowHeightOf(isTall(line.row), density) : heights[line.kind])),
    );
  }, [lines, isTall, density]);
  const keyboard = useGridKeyboard({ scroller, lines, columns, tops, layout, headHeight, ...actions });
  useVersionHighlight(scroller);
  // `npm run bench -- dashboard` and the browser's tools measure the time of this mark.
  useLayoutEffect(() => void performance.mark('board-drawn'), []);
  const room = { height: area.height - headHeight, width: area.width - nameWidth - pinnedWidth };
  const inRows = useScrolled(area, ({ top: start }) =>
    visibleRange(tops, { start, length: area.height, spare: spareRows }),
  );
  const inColumns = useScrolled(area, ({ left: start }) =>
    visibleRange(lefts, { start, length: room.width, spare: spareColumns }),
  );
  // Keep the focused line rendered, because scrolling would otherwise lose the focus.
  const shown = indexesIn(inRows, keyboard.row < lines.length ? keyboard.row : undefined);
  return (
    <>
      <div
        ref={scroller}
        class="grid"
        role="treegrid"
        aria-label="What is deployed where"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1}
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
          <GridHead
            {...{ columns, layout, failed, summary }}
            notices={context.notices}
            height={headHeight}
            visible={inColumns}
            onFold={actions.onFold}
          />
          {shown.map((index) => {
            const line = lines[index];
            const top = tops[index] ?? 0;
            return (
              line && (
                <GridLine
                  {...{ line, index, columns, environments, context, layout, absolute, nowMs, prefixOf }}
                  {...inColumns}
                  key={line.key}
                  top={headHeight + top}
                  height={(tops[index + 1] ?? top) - top}
                  visibleWidth={area.width - pinnedWidth}
                  active={keyboard.row === index ? keyboard.column : undefined}
                />
              )
            );
          })}
        </div>
      </div>
      <BoardFoot {...{ failed, lines, columns, tops, layout, area, room }} onGo={keyboard.move} />
    </>
  );
}

function isTallIn(row: MatrixRow, columns: readonly Column[], { futureRows, facts }: BoardContext): boolean {
  const { service } = row;
  return columns.some(({ environments, isFolded }) => {
    if (isFolded) {
      const stage = stageBoxOf(row, environments, futureRows);
      return stage !== undefined && hasThirdStageLine(stage, lagIn(stage.worst, facts));
    }
    const [environment = ''] = environments;
    const box = boxIn(row, environment, futureRows);
    return box !== undefined && hasThirdLine(box, lagIn({ service, environment, box }, facts));
  });
}

interface GridLineProps extends Omit<LineLayout, 'lineKey'>, Pick<GridProps, 'environments' | 'prefixOf'> {
  readonly line: Line;
  readonly context: BoardContext;
  readonly visibleWidth: number;
  readonly absolute: boolean;
  readonly nowMs: number;
}

function GridLine(props: GridLineProps) {
  const { line, environments, context, visibleWidth, absolute, nowMs, prefixOf, ...position } = props;
  const common = { ...position, lineKey: line.key };
  if (line.kind === 'row') {
    const { row, level } = line;
    return (
      <Row {...common} {...{ row, level, context, absolute, nowMs }} prefix={level > 1 ? prefixOf(row.service) : ''} />
    );
  }
  const { group, rows, isOpen } = line;
  const prefix = group.isNew ? '' : prefixOf(rows[0]?.service ?? '');
  if (line.kind === 'group') {
    const { canFold } = line;
    const title = groupTitle(group);
    return <GroupRow {...common} {...{ title, prefix, rows, isOpen, canFold }} futureRows={context.futureRows} />;
  }
  const { index, top, height, active, columns } = position;
  return (
    <HealthyRow
      {...{ lineKey: line.key, index, top, height, rows, prefix, isOpen, environments, context, nowMs }}
      width={visibleWidth}
      columns={columns.length}
      isActive={active !== undefined}
    />
  );
}
