import type { Finding } from '@shiplog/contract';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { lagIn } from '../board/attention.ts';
import type { AttentionFacts } from '../board/attention-facts.ts';
import { problemText } from '../board/attention-words.ts';
import { type Box, boxOf, lookOf } from '../board/box.ts';
import type { Drift } from '../board/drift.ts';
import { findingNote } from '../board/finding-titles.ts';
import type { FutureRow } from '../board/future-rows.ts';
import { cellSentence } from '../board/sentence.ts';
import type { SlotState } from '../board/slot.ts';
import { useApp } from '../ui/app.ts';
import { lightUp } from '../ui/light-up.ts';
import { memo } from '../ui/memo.ts';
import { BoxLines } from './box-lines.tsx';

export interface CellProps {
  readonly service: string;
  readonly environment: string;
  readonly slotState: SlotState | undefined;
  readonly ahead: FutureRow | undefined;
  readonly drift: Drift | undefined;
  readonly facts: AttentionFacts;
  /** Findings in the log for this slot. */
  readonly found: readonly Finding[] | undefined;
  /** Its index among the columns. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** The cell of the grid that has the keyboard focus. */
  readonly isActive: boolean;
  readonly absolute: boolean;
  /** The time that ages count to. */
  readonly nowMs: number;
}

/** The gap between cells. */
const gapPx = 8;

/** One slot of the board. Its accessible name says everything it shows in one sentence. */
export const Cell = memo((props: CellProps) => {
  const { service, environment, slotState, ahead, drift, facts, column, left, width, isActive, nowMs } = props;
  const box = slotState && boxOf(slotState, ahead);
  const lag = box && lagIn({ service, environment, box }, facts, nowMs);
  const note = findingNote(props.found ?? []);
  const flashed = useFlash(box && idsOf(box));
  return (
    <div
      ref={flashed}
      role="gridcell"
      class={box ? `cell ${lookOf(box)}${lag ? ` ${lag.kind}` : ''}` : 'cell none'}
      aria-colindex={column + 2}
      data-service={service}
      data-environment={environment}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width - gapPx}px` }}
    >
      <span class="unseen">
        {[cellSentence(service, environment, box, nowMs, drift), lag && problemText(lag, { nowMs, isOut: false }), note]
          .filter(Boolean)
          .join('; ')}
      </span>
      <div class="inside" aria-hidden="true">
        {box ? <BoxLines box={box} drift={drift} lag={lag} note={note} absolute={props.absolute} nowMs={nowMs} /> : '—'}
      </div>
    </div>
  );
});

/** The ids of the events that a box shows. */
function idsOf({ latest, lastSuccess, next, hidden }: Box): string {
  return `${latest.id} ${lastSuccess?.id} ${next?.id} ${hidden?.id}`;
}

/** Highlights the element once when its content changes. */
function useFlash(shown: string | undefined) {
  const { past } = useApp();
  const element = useRef<HTMLDivElement>(null);
  const at = past.value.shown;
  const before = useRef({ shown, at });
  useLayoutEffect(() => {
    // A step to another time is not a change.
    const isNew = before.current.shown !== shown && before.current.at === at;
    before.current = { shown, at };
    if (isNew) lightUp(element.current);
  }, [shown, at]);
  return element;
}
