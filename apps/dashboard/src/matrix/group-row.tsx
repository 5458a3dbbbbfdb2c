import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { pluralize } from '@shiplog/text';
import type { FutureRows } from '../board/future-rows.ts';
import { joinedRollUp, type RollUp, rollUpOf } from '../board/roll-up.ts';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { LineFrame, type LineLayout } from './line-frame.tsx';
import { RollUpCell } from './roll-up-cell.tsx';

export interface GroupRowProps extends LineLayout {
  readonly lineKey: string;
  readonly title: string;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  readonly canFold: boolean;
  /** All its services are healthy. */
  readonly isHealthy: boolean;
  readonly futureRows: FutureRows;
  readonly others: readonly string[];
}

/** A group: its name and a summary of each column. */
export const GroupRow = memo((props: GroupRowProps) => {
  const { title, rows, isOpen, canFold, isHealthy, columns, layout, active, others, futureRows } = props;
  const inOthers = rollUpOf(rows, others, futureRows);
  const { width, scrolled, othersWidth } = layout;
  const isOnName = active === -1;
  const said = isOpen ? undefined : saidOf(joinedRollUp([rollUpOf(rows, columns, futureRows), inOthers]), isHealthy);
  return (
    <LineFrame
      {...props}
      className="group"
      level={1}
      isExpanded={canFold ? isOpen : undefined}
      nameTab={isOnName ? 0 : -1}
      name={
        <span class="group-name">
          {canFold && <Mark shape="chevron" />}
          <Cut text={title} /> <span class="small">{said ? `${rows.length} · ${said}` : rows.length}</span>
        </span>
      }
      cell={({ environment, ...place }) => (
        <RollUpCell
          key={environment}
          {...place}
          environment={environment}
          of={`${title} in ${environment}`}
          rollUp={rollUpOf(rows, columns, futureRows, { from: place.column, until: place.column + 1 })}
        />
      )}
      others={
        others.length > 0 && (
          <RollUpCell
            rollUp={inOthers}
            of={`${title} in ${pluralize(others.length, 'other environment')}`}
            environment={undefined}
            column={columns.length}
            left={(columns.length - scrolled) * width}
            width={othersWidth}
            isActive={active === columns.length}
          />
        )
      }
    />
  );
});

/** The summary of a folded group. */
function saidOf([worst]: RollUp, isHealthy: boolean): string | undefined {
  if (worst?.kind === 'bad') return `${worst.count} failed`;
  if (worst?.kind === 'run') return `${worst.count} running`;
  return isHealthy ? 'all healthy' : undefined;
}
