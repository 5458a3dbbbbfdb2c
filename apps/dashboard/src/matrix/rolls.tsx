import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { type RollKind, type RollUp, rollUpSentence } from '../board/roll-up.ts';
import type { CellLayout } from './layout.ts';

export const rollShapes = {
  bad: 'bad',
  run: 'run',
  wait: 'pause',
  ahead: 'ahead',
  off: 'dash',
  ok: 'ok',
} as const satisfies Record<RollKind, Shape>;

/** Icons with counts, worst first. */
export function Rolls({ rollUp }: { readonly rollUp: RollUp }) {
  return (
    <span class="rolls soft" aria-hidden="true">
      {rollUp.map(({ kind, count }) => (
        <span key={kind} class={`roll row gap-4 ${kind}`}>
          <Mark shape={rollShapes[kind]} />
          {count}
        </span>
      ))}
    </span>
  );
}

interface RollUpCellProps extends CellLayout {
  readonly rollUp: RollUp;
  /** What the cell summarizes: "Orders in qa". */
  readonly of: string;
}

export function RollUpCell({ rollUp, of, column, index, left, width, isActive, beginsStage }: RollUpCellProps) {
  return (
    <div
      role="gridcell"
      class={beginsStage ? 'roll-up begins' : 'roll-up'}
      aria-colindex={index + 2}
      data-column={column.key}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width}px` }}
    >
      <span class="unseen">{`${of}: ${rollUpSentence(rollUp)}`}</span>
      <Rolls rollUp={rollUp} />
    </div>
  );
}
