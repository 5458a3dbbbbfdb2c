import type { MatrixRow } from '@shiplog/contract';
import { linkTo } from '../navigation.ts';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Cell } from './cell.tsx';
import type { Range } from './layout.ts';

export interface RowProps {
  readonly row: MatrixRow;
  /** Its place among the rows, from 0. */
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
}

/** One service: its name, which stays in sight, and the cells that are. */
export const Row = memo((props: RowProps) => {
  const { row, index, columns, from, until, nameWidth, width, active } = props;
  const lastBy = lastActor(row);
  return (
    <div
      role="row"
      class="board-row"
      aria-rowindex={index + 2}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div role="rowheader" class="name" aria-colindex={1} style={{ width: `${nameWidth}px` }}>
        <a href={linkTo({ view: 'swimlanes', filter: oneService(row.service) })} tabIndex={active === -1 ? 0 : -1}>
          <Cut text={row.service} />
        </a>
        {lastBy && <Cut text={`last by ${lastBy}`} className="small" />}
      </div>
      {columns.slice(from, until).map((environment, offset) => (
        <Cell
          key={environment}
          service={row.service}
          environment={environment}
          slot={Object.hasOwn(row.slots, environment) ? row.slots[environment] : undefined}
          column={from + offset}
          left={nameWidth + (from + offset) * width}
          width={width}
          isActive={active === from + offset}
          absolute={props.absolute}
        />
      ))}
    </div>
  );
});

function oneService(service: string) {
  return { services: [service], environments: [], text: undefined, only: undefined };
}

/** Who made the newest of what the row shows. */
function lastActor({ slots }: MatrixRow): string | undefined {
  const events = Object.values(slots).map(({ current }) => current);
  const newest = events.reduce<(typeof events)[number] | undefined>(
    (best, event) => (best && Date.parse(best.happened_at) >= Date.parse(event.happened_at) ? best : event),
    undefined,
  );
  return newest?.actor;
}
