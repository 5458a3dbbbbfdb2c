import type { MatrixRow } from '@shiplog/contract';
import type { ArrangedGroup } from '../board/arrangement.ts';
import type { AttentionFacts } from '../board/attention-facts.ts';
import type { BoardContext } from '../board/context.ts';
import { isHealthy } from '../board/healthy.ts';
import type { Line } from '../board/lines.ts';
import type { FindingsBySlot } from '../live/findings.ts';
import { GroupRow } from './group-row.tsx';
import { HealthyRow } from './healthy-row.tsx';
import type { ColumnPlan } from './layout.ts';
import type { LineLayout } from './line-frame.tsx';
import { Row } from './row.tsx';

interface GridLineProps extends Omit<LineLayout, 'columns'> {
  readonly line: Line;
  readonly plan: ColumnPlan;
  readonly context: BoardContext;
  readonly facts: AttentionFacts;
  readonly findings: FindingsBySlot;
  /** The visible width of a line, in pixels. */
  readonly width: number;
  readonly absolute: boolean;
  readonly nowMs: number;
}

/** One line of the board of any kind. */
export function GridLine({ line, plan, context, facts, findings, width, absolute, nowMs, ...place }: GridLineProps) {
  const { columns, others, all } = plan;
  const { futureRows } = context;
  const common = { ...place, lineKey: line.key, columns };
  const unhealthyIn = (rows: readonly MatrixRow[]) => rows.filter((row) => !isHealthy(row, all, context, nowMs)).length;
  if (line.kind === 'row') {
    const { row, level } = line;
    const drifts = context.drifts.get(row.service);
    return <Row {...common} {...{ row, level, others, futureRows, drifts, facts, findings, absolute, nowMs }} />;
  }
  const { group, rows, isOpen } = line;
  if (line.kind === 'group') {
    const { canFold } = line;
    const isAllHealthy = !isOpen && unhealthyIn(rows) === 0;
    return (
      <GroupRow
        {...common}
        {...{ rows, isOpen, canFold, others, futureRows }}
        title={titleOf(group)}
        isHealthy={isAllHealthy}
      />
    );
  }
  const { index, top, height, active } = place;
  return (
    <HealthyRow
      {...{ lineKey: line.key, index, top, height, width, rows, isOpen }}
      columns={columns.length + Number(others.length > 0)}
      unhealthy={unhealthyIn(rows)}
      isActive={active !== undefined}
    />
  );
}

function titleOf({ name, isNew }: ArrangedGroup): string {
  return isNew ? 'New services' : (name ?? 'Other services');
}
