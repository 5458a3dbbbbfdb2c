import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { joinedRollUp, type RollUp, rollUpOf } from '../board/roll-up.ts';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import type { LineLayout } from './layout.ts';
import { LineFrame, RollUpCell } from './row.tsx';

interface GroupRowProps extends LineLayout {
  readonly title: string;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  readonly canFold: boolean;
  readonly isHealthy: boolean;
}

/** A group: its name and a summary of each column. */
export const GroupRow = memo((props: GroupRowProps) => {
  const { title, rows, isOpen, canFold, isHealthy, columns, active, others, futureRows } = props;
  const inOthers = rollUpOf(rows, others, futureRows);
  const summary = isOpen
    ? undefined
    : summaryOf(joinedRollUp([rollUpOf(rows, columns, futureRows), inOthers]), isHealthy);
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
          <Cut text={title} />{' '}
          <span class="cut part small">{summary ? `${rows.length} · ${summary}` : rows.length}</span>
        </span>
      }
      cell={({ environment, column, ...cellLayout }) => (
        <RollUpCell
          {...cellLayout}
          key={environment}
          environment={environment}
          column={column}
          of={`${title} in ${environment}`}
          rollUp={rollUpOf(rows, columns, futureRows, { from: column, until: column + 1 })}
        />
      )}
      inOthers={inOthers}
    />
  );
});

function summaryOf([worst]: RollUp, isHealthy: boolean): string | undefined {
  if (worst?.kind === 'bad') return `${worst.count} failed`;
  if (worst?.kind === 'run') return `${worst.count} running`;
  return isHealthy ? 'all healthy' : undefined;
}

interface HealthyRowProps extends Pick<LineLayout, 'lineKey' | 'index' | 'top' | 'height'> {
  /** The visible width of the row, in pixels. */
  readonly width: number;
  readonly columns: number;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  /** The number of these services that are no longer healthy. */
  readonly unhealthy: number;
  readonly isActive: boolean;
}

/** Names the services that were healthy when the board was sorted. */
export const HealthyRow = memo(({ rows, isOpen, unhealthy, ...props }: HealthyRowProps) => (
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
        {rows.length} more, {unhealthy === 0 ? 'all healthy' : `${unhealthy} not healthy`}:
      </b>{' '}
      {rows.map(({ service }, index) => (
        <>
          {index > 0 && ', '}
          <bdi key={service}>{plain(service)}</bdi>
        </>
      ))}
    </div>
  </div>
));
