import type { ComponentChildren } from 'preact';
import { beginsStage, type CellLayout, indexesIn, type LineLayout, leftOf } from './layout.ts';

interface LineFrameProps extends LineLayout {
  readonly className: string;
  readonly level: number;
  readonly isExpanded?: boolean | undefined;
  readonly name: ComponentChildren;
  /** The tab index of the name, if the name as a whole can have the focus. */
  readonly nameTab?: number;
  readonly cell: (cellLayout: CellLayout) => ComponentChildren;
}

/** A line of the grid: its name at the left edge, scrolling cells, and cells pinned at the right edge. */
export function LineFrame(props: LineFrameProps) {
  const { columns, from, until, layout, active, cell } = props;
  const { nameWidth, widths, scrolled, pinnedWidth } = layout;
  const at = (index: number) => {
    const column = columns[index];
    const place = { left: leftOf(index, layout), width: widths[index] ?? 0 };
    const begins = beginsStage(columns, index, scrolled);
    return column && cell({ ...place, column, index, beginsStage: begins, isActive: active === index });
  };
  // Keep the focused cell rendered, because scrolling would otherwise lose the focus.
  const isScrolled = active !== undefined && active >= 0 && active < scrolled;
  const drawn = indexesIn({ from, until }, isScrolled ? active : undefined);
  return (
    <div
      role="row"
      class={`board-row ${props.className}`}
      data-line={props.lineKey}
      aria-rowindex={props.index + 2}
      aria-level={props.level}
      aria-expanded={props.isExpanded}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div role="rowheader" class="name" aria-colindex={1} tabIndex={props.nameTab} style={{ width: `${nameWidth}px` }}>
        {props.name}
      </div>
      {drawn.map(at)}
      {pinnedWidth > 0 && (
        <div class="pinned" role="presentation" style={{ width: `${pinnedWidth}px` }}>
          {columns.slice(scrolled).map((_, offset) => at(scrolled + offset))}
        </div>
      )}
    </div>
  );
}
