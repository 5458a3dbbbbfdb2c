import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { Cut } from '../ui/text.tsx';
import type { ColumnLayout, ColumnPlan, Range } from './layout.ts';

interface GridHeadProps {
  readonly plan: ColumnPlan;
  readonly layout: ColumnLayout;
  readonly height: number;
  /** The visible range of the columns that scroll. */
  readonly visible: Range;
  readonly onOthers: () => void;
}

export function GridHead({ plan, layout, height, visible, onOthers }: GridHeadProps) {
  const { columns, others, isUnrolled } = plan;
  const { nameWidth, width, lefts, scrolled, pinnedWidth, othersWidth } = layout;
  const pinned = columns[scrolled];
  return (
    <div role="row" class="heads soft strong" aria-rowindex={1} style={{ height: `${height}px` }}>
      <div role="columnheader" class="name" aria-colindex={1} style={{ width: `${nameWidth}px` }}>
        Service
      </div>
      {columns.slice(visible.from, Math.min(scrolled, visible.until)).map((environment, offset) => (
        <div
          key={environment}
          role="columnheader"
          class="head"
          aria-colindex={visible.from + offset + 2}
          style={{ left: `${nameWidth + (lefts[visible.from + offset] ?? 0)}px`, width: `${width}px` }}
        >
          <Cut text={environment} />
        </div>
      ))}
      {pinnedWidth > 0 && (
        <div class="pinned" role="presentation" style={{ width: `${pinnedWidth}px` }}>
          {pinned !== undefined && (
            <div role="columnheader" class="head" aria-colindex={scrolled + 2} style={{ left: 0, width: `${width}px` }}>
              <Mark shape="pin" />
              <Cut text={pinned} />
            </div>
          )}
          {othersWidth > 0 && (
            <div
              role="columnheader"
              class="head others"
              aria-colindex={columns.length + 2}
              style={{ left: `${pinnedWidth - othersWidth}px`, width: `${othersWidth}px` }}
            >
              <button
                type="button"
                aria-expanded={isUnrolled}
                aria-label={isUnrolled ? 'Fold rarely used environments' : othersLabel(others)}
                title={isUnrolled ? 'Fold rarely used environments' : others.join(', ')}
                onClick={onOthers}
              >
                {isUnrolled ? '‹' : `others (${others.length})`}
              </button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function othersLabel(others: readonly string[]): string {
  return `others (${others.length}): show a column for each rarely used environment`;
}
