import type { MatrixRow } from '@shiplog/contract';
import { literalGlob } from '@shiplog/text';
import { newestOf, slotStateIn } from '../board/board.ts';
import { eventsOfRow, futureRowOf } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';
import { driftIn } from '../board/drift.ts';
import { memoizePerRow } from '../board/memoize.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { ServiceName } from '../ui/service-name.tsx';
import { Cell } from './cell.tsx';
import type { LineLayout } from './layout.ts';
import { LineFrame } from './line-frame.tsx';
import { StageCell } from './stage-cell.tsx';

interface RowProps extends LineLayout {
  readonly row: MatrixRow;
  readonly level: number;
  /** The beginning of the name that the group's header shows. */
  readonly prefix: string;
  readonly context: BoardContext;
  readonly absolute: boolean;
  /** The time that ages are relative to. */
  readonly nowMs: number;
}

const lastActorOf = memoizePerRow((row) => newestOf(eventsOfRow(row))?.actor);
const nameMargins = { 1: 26, 2: 48 } as const;

/** One service: its name and its visible cells. */
export const Row = memo((props: RowProps) => {
  const { row, level, prefix, active, context, absolute, nowMs, layout } = props;
  const { futureRows, facts, notices } = context;
  const { service } = row;
  const lastBy = lastActorOf(row);
  return (
    <LineFrame
      {...props}
      className={level > 1 ? 'in-group' : ''}
      name={
        <Link
          to={{
            view: 'board',
            slot: undefined,
            board: { ...home.board, layout: 'progress' },
            filter: { ...home.filter, services: [literalGlob(service)] },
          }}
          title={lastBy && `last by ${lastBy}`}
          tabIndex={active === -1 ? 0 : -1}
        >
          <ServiceName
            text={service}
            prefix={prefix}
            isPrefixShown={false}
            width={layout.nameWidth - nameMargins[level > 1 ? 2 : 1]}
          />
        </Link>
      }
      cell={(cellLayout) => {
        const { key, environments, isFolded } = cellLayout.column;
        const [environment = ''] = environments;
        const common = { ...cellLayout, key, absolute, nowMs };
        if (isFolded) return <StageCell {...common} row={row} context={context} />;
        return (
          <Cell
            {...common}
            service={service}
            environment={environment}
            slotState={slotStateIn(row, environment)}
            notices={notices}
            isProduction={context.stages.production.has(environment)}
            ahead={futureRowOf(service, environment, futureRows)}
            drift={driftIn(row, environment, facts)}
            facts={facts}
          />
        );
      }}
    />
  );
});
