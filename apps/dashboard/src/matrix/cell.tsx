import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Ahead } from '../board/ahead.ts';
import { type Box, boxOf, lookOf } from '../board/box.ts';
import { cellSentence } from '../board/sentence.ts';
import type { Standing } from '../board/slot.ts';
import { lightUp } from '../ui/light-up.ts';
import { memo } from '../ui/memo.ts';
import { BoxLines } from './box-lines.tsx';

export interface CellProps {
  readonly service: string;
  readonly environment: string;
  readonly standing: Standing | undefined;
  readonly ahead: Ahead | undefined;
  /** Its index among the columns. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** The one cell of the grid that the keyboard is on. */
  readonly isActive: boolean;
  readonly absolute: boolean;
  /** The time that ages are shown by. */
  readonly nowMs: number;
}

/** Between a cell and the next. */
const gapPx = 8;

/** One slot of the board. Its accessible name says in one sentence what it shows. */
export const Cell = memo((props: CellProps) => {
  const { service, environment, standing, ahead, column, left, width, isActive, nowMs } = props;
  const box = standing && boxOf(standing, ahead);
  const flashed = useFlash(box && idsOf(box));
  return (
    <div
      ref={flashed}
      role="gridcell"
      class={box ? `cell ${lookOf(box)}` : 'cell none'}
      aria-colindex={column + 2}
      data-service={service}
      data-environment={environment}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width - gapPx}px` }}
    >
      <span class="unseen">{cellSentence(service, environment, box, nowMs)}</span>
      <div class="inside" aria-hidden="true">
        {box ? <BoxLines box={box} absolute={props.absolute} nowMs={nowMs} /> : '—'}
      </div>
    </div>
  );
});

/** The ids of the events that a box shows. */
function idsOf({ latest, lastSuccess, next, hidden }: Box): string {
  return `${latest.id} ${lastSuccess?.id} ${next?.id} ${hidden?.id}`;
}

/** Lets the element light up once when it shows something else. */
function useFlash(shown: string | undefined) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useLayoutEffect(() => {
    const isNew = before.current !== shown;
    before.current = shown;
    if (isNew) lightUp(element.current);
  }, [shown]);
  return element;
}
