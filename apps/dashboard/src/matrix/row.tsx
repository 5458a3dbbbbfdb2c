import type { MatrixRow } from '@shiplog/contract';
import { type AheadSlots, slotKey } from '../board/ahead.ts';
import type { AttentionFacts } from '../board/attention-facts.ts';
import { standingIn } from '../board/board.ts';
import { aheadOf } from '../board/box.ts';
import { counted } from '../board/counted.ts';
import { driftIn, type RowDrifts } from '../board/drift.ts';
import { newestOf } from '../board/newest.ts';
import { rollUpOf } from '../board/roll-up.ts';
import type { FindingsBySlot } from '../live/findings.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Cell } from './cell.tsx';
import { LineFrame, type LinePlace } from './line-frame.tsx';
import { RollUpCell } from './roll-up-cell.tsx';
import { ServiceName } from './service-name.tsx';

export interface RowProps extends LinePlace {
  readonly lineKey: string;
  readonly row: MatrixRow;
  readonly level: number;
  readonly aheadSlots: AheadSlots;
  readonly drifts: RowDrifts | undefined;
  readonly facts: AttentionFacts;
  readonly findings: FindingsBySlot;
  /** Environments that have one cell in all. */
  readonly others: readonly string[];
  readonly absolute: boolean;
  /** The time that ages are shown by. */
  readonly nowMs: number;
}

/** One service: its name and its visible cells. */
export const Row = memo((props: RowProps) => {
  const { row, level, columns, places, active, others, aheadSlots, drifts, facts, findings, absolute, nowMs } = props;
  const { service } = row;
  const lastBy = newestOf(row)?.actor;
  const { width, scrolled, othersWidth } = places;
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
          standing={standingIn(row, environment)}
          ahead={aheadOf(service, environment, aheadSlots)}
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
            rollUp={rollUpOf([row], others, aheadSlots)}
            of={`${service} in ${counted(others.length, 'other environment')}`}
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
