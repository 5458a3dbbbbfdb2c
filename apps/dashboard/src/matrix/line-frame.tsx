import type { ComponentChildren } from 'preact';
import type { ColumnLayout, Range } from './layout.ts';

/** Where a line stands, and which part of it is in the page. */
export interface LineLayout {
  /** Its index among the lines. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly string[];
  /** The visible ones of the columns that scroll. */
  readonly from: Range['from'];
  readonly until: Range['until'];
  readonly layout: ColumnLayout;
  /** Where the keyboard is in this line: -1 on its name, a column, one more for all others, or nowhere. */
  readonly active: number | undefined;
}

/** What a cell has to know of its place. */
export interface CellLayout {
  readonly environment: string;
  /** Its index among the columns. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** The one cell of the grid that the keyboard is on. */
  readonly isActive: boolean;
}

interface LineFrameProps extends LineLayout {
  readonly lineKey: string;
  readonly className?: string;
  readonly level: number;
  readonly isExpanded?: boolean | undefined;
  readonly name: ComponentChildren;
  /** Where the name as a whole can have the focus. */
  readonly nameTab?: number;
  readonly cell: (place: CellLayout) => ComponentChildren;
  /** The cell of all other environments. */
  readonly others: ComponentChildren;
}

/** A line of the grid: its name, which stays at the left edge, the cells that scroll, and those that stay at the right edge. */
export function LineFrame(props: LineFrameProps) {
  const { columns, from, until, layout, active, cell, className = '' } = props;
  const { nameWidth, width, scrolled, pinnedWidth } = layout;
  const at = (column: number, left: number) =>
    cell({ environment: columns[column] ?? '', column, left, width, isActive: active === column });
  // The cell with the keyboard's focus stays in the page, or scrolling would lose the focus.
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
