import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, pluralize } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { byTime, slotStateIn } from '../board/board.ts';
import { eventsOfRow, futureRowOf } from '../board/box.ts';
import { driftIn } from '../board/drift.ts';
import type { Facts } from '../board/facts.ts';
import { memoizePerRow } from '../board/memoize.ts';
import { type RollKind, type RollUp, rollUpOf, rollUpSentence } from '../board/roll-up.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Cell } from './cell.tsx';
import type { CellLayout, LineLayout } from './layout.ts';

interface RowProps extends LineLayout {
  readonly row: MatrixRow;
  readonly level: number;
  readonly facts: Facts;
  readonly absolute: boolean;
  /** The time that ages are relative to. */
  readonly nowMs: number;
}

const lastActorOf = memoizePerRow((row) => eventsOfRow(row).sort(byTime).at(-1)?.actor);

/** One service: its name and its visible cells. */
export const Row = memo((props: RowProps) => {
  const { row, level, active, others, futureRows, facts, absolute, nowMs } = props;
  const { service } = row;
  const lastBy = lastActorOf(row);
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
      cell={(cellLayout) => (
        <Cell
          {...cellLayout}
          key={cellLayout.environment}
          service={service}
          slotState={slotStateIn(row, cellLayout.environment)}
          ahead={futureRowOf(service, cellLayout.environment, futureRows)}
          drift={driftIn(row, cellLayout.environment, facts)}
          facts={facts}
          absolute={absolute}
          nowMs={nowMs}
        />
      )}
      title={service}
      inOthers={rollUpOf([row], others, futureRows)}
    />
  );
});

/** A name on at most two lines that breaks after separators. */
function ServiceName({ text }: { readonly text: string }) {
  const shown = plain(text);
  return (
    <bdi class="clamp" title={shown}>
      {shown.split(/(?<=[-._/])/).flatMap((part, index) => [...(index > 0 ? [<wbr key={index} />] : []), part])}
    </bdi>
  );
}

interface LineFrameProps extends LineLayout {
  readonly className: string;
  readonly level: number;
  readonly isExpanded?: boolean | undefined;
  readonly name: ComponentChildren;
  /** The tab index of the name, if the name as a whole can have the focus. */
  readonly nameTab?: number;
  readonly cell: (cellLayout: CellLayout) => ComponentChildren;
  /** The name as text. */
  readonly title: string;
  /** The summary of the other environments. */
  readonly inOthers: RollUp;
}

/** A line of the grid: its name at the left edge, scrolling cells, and cells pinned at the right edge. */
export function LineFrame(props: LineFrameProps) {
  const { columns, others, from, until, layout, active, cell } = props;
  const { nameWidth, width, scrolled, pinnedWidth, othersWidth } = layout;
  const at = (column: number, left: number) =>
    cell({ environment: columns[column] ?? '', column, left, width, isActive: active === column });
  // Keep the focused cell rendered, because scrolling would otherwise lose the focus.
  const drawn = columns.flatMap((_, column) =>
    column < scrolled && ((column >= from && column < until) || column === active) ? column : [],
  );
  return (
    <div
      role="row"
      class={`board-row ${props.className}`}
      data-line={props.lineKey}
      aria-rowindex={props.index + 2}
      aria-level={props.level}
      aria-expanded={props.isExpanded}
      style={{ top: `${props.top}px`, height: `${props.height}px` }}
    >
      <div role="rowheader" class="name" aria-colindex={1} tabIndex={props.nameTab} style={{ width: `${nameWidth}px` }}>
        {props.name}
      </div>
      {drawn.map((column) => at(column, nameWidth + column * width))}
      {pinnedWidth > 0 && (
        <div class="pinned" role="presentation" style={{ width: `${pinnedWidth}px` }}>
          {scrolled < columns.length && at(scrolled, 0)}
          {others.length > 0 && (
            <RollUpCell
              rollUp={props.inOthers}
              of={`${props.title} in ${pluralize(others.length, 'other environment')}`}
              environment={undefined}
              column={columns.length}
              left={(columns.length - scrolled) * width}
              width={othersWidth}
              isActive={active === columns.length}
            />
          )}
        </div>
      )}
    </div>
  );
}

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
  /** What the cell summarizes: "Orders in qa". */
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
