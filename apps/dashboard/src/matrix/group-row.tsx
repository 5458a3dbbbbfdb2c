import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import type { BoardContext } from '../board/context.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { isHealthy } from '../board/healthy.ts';
import { rollUpOf } from '../board/roll-up.ts';
import { columnTitle } from '../board/titles.ts';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import type { LineLayout } from './layout.ts';
import { LineFrame } from './line-frame.tsx';
import { RollUpCell } from './rolls.tsx';

interface GroupRowProps extends LineLayout {
  readonly title: string;
  /** The beginning that all names of the group share. */
  readonly prefix: string;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  readonly canFold: boolean;
  readonly futureRows: FutureRows;
}

/** A narrower service column has no space for the prefix. */
const prefixFromPx = 230;

/** A group: its name and a summary of each column. */
export const GroupRow = memo((props: GroupRowProps) => {
  const { title, prefix, rows, isOpen, canFold, columns, active, layout, futureRows } = props;
  return (
    <LineFrame
      {...props}
      className="group"
      level={1}
      isExpanded={canFold ? isOpen : undefined}
      nameTab={active === -1 ? 0 : -1}
      name={
        <span class="group-name strong row">
          {canFold && <Mark shape="chevron" />}
          <Cut text={title} /> <span class="small">{rows.length}</span>
          {prefix !== '' && layout.nameWidth >= prefixFromPx && (
            <bdi class="group-prefix cut push soft" title="All these names begin so">
              {plain(prefix)}
            </bdi>
          )}
        </span>
      }
      cell={(cellLayout) => (
        <RollUpCell
          {...cellLayout}
          key={cellLayout.column.key}
          of={`${title} in ${columnTitle(cellLayout.column)}`}
          rollUp={rollUpOf(rows, columns, futureRows, cellLayout.index)}
        />
      )}
    />
  );
});

interface HealthyRowProps extends Pick<LineLayout, 'lineKey' | 'index' | 'top' | 'height'> {
  /** The visible width of the row, in pixels. */
  readonly width: number;
  readonly columns: number;
  readonly rows: readonly MatrixRow[];
  /** The beginning of the names that the group's header shows. */
  readonly prefix: string;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  /** Every environment of the view. */
  readonly environments: readonly string[];
  readonly context: BoardContext;
  readonly nowMs: number;
}

/** Names the services that were healthy when the board was sorted, and says how many no longer are. */
export const HealthyRow = memo(({ rows, prefix, isOpen, ...props }: HealthyRowProps) => {
  const { environments, context, nowMs } = props;
  const unhealthy = rows.filter((row) => !isHealthy(row, environments, context, nowMs)).length;
  return (
    <div
      role="row"
      class="board-row"
      data-line={props.lineKey}
      aria-rowindex={props.index + 2}
      aria-level={2}
      aria-expanded={isOpen}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div
        role="gridcell"
        class="well-names soft cut"
        aria-colindex={1}
        aria-colspan={props.columns + 1}
        tabIndex={props.isActive ? 0 : -1}
        style={{ width: `${props.width}px` }}
      >
        <Mark shape="chevron" />
        <b>
          {rows.length} {unhealthy === 0 ? 'healthy' : `folded, ${unhealthy} not healthy`}
        </b>{' '}
        <HealthyServices rows={rows} prefix={prefix} />
      </div>
    </div>
  );
});

const HealthyServices = memo(({ rows, prefix }: Pick<HealthyRowProps, 'rows' | 'prefix'>) =>
  rows.map(({ service }, index) => (
    <>
      {index > 0 && ', '}
      <bdi key={service}>{plain(service.slice(prefix.length))}</bdi>
    </>
  )),
);
