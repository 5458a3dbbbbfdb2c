import type { MatrixRow } from '@shiplog/contract';
import type { AheadSlots } from '../board/ahead.ts';
import { standingIn } from '../board/board.ts';
import { aheadOf } from '../board/box.ts';
import { newestOf } from '../board/newest.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Cell } from './cell.tsx';
import type { Range } from './layout.ts';

export interface RowProps {
  readonly row: MatrixRow;
  readonly aheadSlots: AheadSlots;
  /** Its index among the rows. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly string[];
  readonly from: Range['from'];
  readonly until: Range['until'];
  readonly nameWidth: number;
  readonly width: number;
  /** Where the keyboard is in this row: -1 on its name, a column, or nowhere. */
  readonly active: number | undefined;
  readonly absolute: boolean;
  readonly nowMs: number;
}

/** One service: its name, which stays visible, and its visible cells. */
export const Row = memo((props: RowProps) => {
  const { row, index, columns, from, until, nameWidth, width, active } = props;
  const lastBy = newestOf(row)?.actor;
  // The row with the keyboard's focus stays in the page, or scrolling would lose the focus.
  const drawn = columns
    .map((environment, column) => [environment, column] as const)
    .filter(([, column]) => (column >= from && column < until) || column === active);
  return (
    <div
      role="row"
      class="board-row"
      aria-rowindex={index + 2}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div role="rowheader" class="name" aria-colindex={1} style={{ width: `${nameWidth}px` }}>
        <Link
          to={{ view: 'swimlanes', slot: undefined, filter: { ...home.filter, services: [row.service] } }}
          tabIndex={active === -1 ? 0 : -1}
        >
          <Cut text={row.service} />
        </Link>
        {lastBy && <Cut text={`last by ${lastBy}`} className="small" />}
      </div>
      {drawn.map(([environment, column]) => (
        <Cell
          key={environment}
          service={row.service}
          environment={environment}
          standing={standingIn(row, environment)}
          ahead={aheadOf(row.service, environment, props.aheadSlots)}
          column={column}
          left={nameWidth + column * width}
          width={width}
          isActive={active === column}
          absolute={props.absolute}
          nowMs={props.nowMs}
        />
      ))}
    </div>
  );
});
