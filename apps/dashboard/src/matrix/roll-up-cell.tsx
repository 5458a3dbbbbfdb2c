import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { type RollKind, type RollUp, rollUpSentence } from '../board/roll-up.ts';
import type { CellLayout } from './layout.ts';

const shapes = {
  bad: 'bad',
  run: 'run',
  wait: 'pause',
  ahead: 'arrow',
  off: 'dash',
  ok: 'ok',
} as const satisfies Record<RollKind, Shape>;

interface RollUpCellProps extends Omit<CellLayout, 'environment'> {
  readonly rollUp: RollUp;
  /** What it summarizes: "Orders in qa". */
  readonly of: string;
  /** `undefined` = all other environments. */
  readonly environment: string | undefined;
}

/** Icons with counts, worst first. */
export function RollUpCell({ rollUp, of, environment, column, left, width, isActive }: RollUpCellProps) {
  return (
    <div
      role="gridcell"
      class="roll-up"
      aria-colindex={column + 2}
      data-environment={environment}
      data-others={environment === undefined ? '' : undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width}px` }}
    >
      <span class="unseen">{`${of}: ${rollUpSentence(rollUp)}`}</span>
      <span class="rolls nowrap soft row" aria-hidden="true">
        {rollUp.map(({ kind, count }) => (
          <span key={kind} class={`roll ${kind}`}>
            <Mark shape={shapes[kind]} />
            {count}
          </span>
        ))}
        {rollUp.length === 0 && '–'}
      </span>
    </div>
  );
}
