import type { ComponentChildren } from 'preact';
import type { ColumnLayout, Range } from './layout.ts';

/** The layout of a line and its visible part. */
export interface LineLayout {
  /** Its index among the lines. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly string[];
  /** The visible range of the columns that scroll. */
  readonly from: Range['from'];
  readonly until: Range['until'];
  readonly layout: ColumnLayout;
  /** The focused column in this line: -1 = the name, one past the last = the others, `undefined` = not in this line. */
  readonly active: number | undefined;
}

/** The layout of a cell. */
export interface CellLayout {
  readonly environment: string;
  /** Its index among the columns. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** The cell of the grid that has the keyboard focus. */
  readonly isActive: boolean;
}

interface LineFrameProps extends LineLayout {
  readonly lineKey: string;
  readonly className?: string;
  readonly level: number;
  readonly isExpanded?: boolean | undefined;
  readonly name: ComponentChildren;
  /** The tab index of the name, if it can have the focus as a whole. */
  readonly nameTab?: number;
  readonly cell: (place: CellLayout) => ComponentChildren;
  /** The cell of all other environments. */
  readonly others: ComponentChildren;
}

/** A line of the grid: its name at the left edge, the cells that scroll, and those pinned at the right edge. */
export function LineFrame(props: LineFrameProps) {
  const { columns, from, until, layout, active, cell, className = '' } = props;
  const { nameWidth, width, scrolled, pinnedWidth } = layout;
  const at = (column: number, left: number) =>
    cell({ environment: columns[column] ?? '', column, left, width, isActive: active === column });
  // Keep the focused cell in the page, or scrolling would lose the focus.
  const drawn = columns.flatMap((_, column) =>
    column < scrolled && ((column >= from && column < until) || column === active) ? column : [],
  );
  return (
    <div
      role="row"
      class={`board-row ${className}`}
      data-line={props.lineKey}
      aria-rowindex={props.index + 2}
      aria-level={props.level}
      aria-expanded={props.isExpanded}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div role="rowheader" class="name" aria-colindex={1} tabIndex={props.nameTab} style={{ width: `${nameWidth}px` }}>
        {props.name}
      </div>
      {drawn.map((column) => at(column, nameWidth + column * width))}
      {pinnedWidth > 0 && (
        <div class="pinned" role="presentation" style={{ width: `${pinnedWidth}px` }}>
          {scrolled < columns.length && at(scrolled, 0)}
          {props.others}
        </div>
      )}
    </div>
  );
}
