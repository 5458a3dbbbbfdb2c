import type { MatrixRow } from '@shiplog/contract';
import { plain, pluralize } from '@shiplog/text';
import type { AttentionFacts } from '../board/attention-facts.ts';
import { slotStateIn } from '../board/board.ts';
import { eventsOfRow, futureRowOf } from '../board/box.ts';
import { driftIn, type RowDrifts } from '../board/drift.ts';
import { byTime } from '../board/event-order.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { memoizePerRow } from '../board/memoize.ts';
import { rollUpOf } from '../board/roll-up.ts';
import { slotKey } from '../board/slot.ts';
import type { FindingsBySlot } from '../live/findings.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Cell } from './cell.tsx';
import { LineFrame, type LineLayout } from './line-frame.tsx';
import { RollUpCell } from './roll-up-cell.tsx';

export interface RowProps extends LineLayout {
  readonly lineKey: string;
  readonly row: MatrixRow;
  readonly level: number;
  readonly futureRows: FutureRows;
  readonly drifts: RowDrifts | undefined;
  readonly facts: AttentionFacts;
  readonly findings: FindingsBySlot;
  /** Environments that share one cell. */
  readonly others: readonly string[];
  readonly absolute: boolean;
  /** The time that ages count to. */
  readonly nowMs: number;
}

const lastActorOf = memoizePerRow((row) => eventsOfRow(row).sort(byTime).at(-1)?.actor);

/** One service: its name and its visible cells. */
export const Row = memo((props: RowProps) => {
  const { row, level, columns, layout, active, others, futureRows, drifts, facts, findings, absolute, nowMs } = props;
  const { service } = row;
  const lastBy = lastActorOf(row);
  const { width, scrolled, othersWidth } = layout;
  return (
    <LineFrame
      {...props}
      className={level > 1 ? 'in-group' : ''}
      name={
        <>
          <Link
            to={{ view: 'swimlanes', slot: undefined, filter: { ...home.filter, services: [service] } }}
            tabIndex={active === -1 ? 0 : -1}
          >
            <ServiceName text={service} />
          </Link>
          {lastBy && <Cut text={`last by ${lastBy}`} className="small" />}
        </>
      }
      cell={({ environment, ...place }) => (
        <Cell
          key={environment}
          {...place}
          service={service}
          environment={environment}
          slotState={slotStateIn(row, environment)}
          ahead={futureRowOf(service, environment, futureRows)}
          drift={driftIn(row, environment, drifts)}
          facts={facts}
          found={findings.get(slotKey(service, environment))}
          absolute={absolute}
          nowMs={nowMs}
        />
      )}
      others={
        others.length > 0 && (
          <RollUpCell
            rollUp={rollUpOf([row], others, futureRows)}
            of={`${service} in ${pluralize(others.length, 'other environment')}`}
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

/** A name on at most two lines that breaks after separators. */
function ServiceName({ text }: { readonly text: string }) {
  const shown = plain(text);
  return (
    <bdi class="service-name" title={shown}>
      {shown.split(/(?<=[-._/])/).flatMap((part, index) => [...(index > 0 ? [<wbr key={index} />] : []), part])}
    </bdi>
  );
}
