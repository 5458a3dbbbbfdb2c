import type { DeploymentEvent, MatrixSlot } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { boxOf, versionOf } from '../board/box.ts';
import { cellSentence } from '../board/sentence.ts';
import { Age } from '../ui/clock.tsx';
import { lightUp } from '../ui/light-up.ts';
import { Mark } from '../ui/mark.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';

export interface CellProps {
  readonly service: string;
  readonly environment: string;
  readonly slot: MatrixSlot | undefined;
  /** Its place among the columns, from 0. */
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

/** One slot of the board. Its name says in one sentence what its look says. */
export const Cell = memo((props: CellProps) => {
  const { service, environment, slot, column, left, width, isActive, nowMs } = props;
  const flashed = useFlash(slot && shownOf(slot));
  return (
    <div
      ref={flashed}
      role="gridcell"
      class={slot ? `cell ${boxOf(slot).tone}` : 'cell none'}
      aria-colindex={column + 2}
      data-service={service}
      data-environment={environment}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width - gapPx}px` }}
    >
      <span class="unseen">{cellSentence(service, environment, slot, nowMs)}</span>
      <div class="inside" aria-hidden="true">
        {slot ? <Inside slot={slot} absolute={props.absolute} nowMs={nowMs} /> : '—'}
      </div>
    </div>
  );
});

function Inside({ slot, ...time }: Pick<CellProps, 'absolute' | 'nowMs'> & { readonly slot: MatrixSlot }) {
  const { current } = slot;
  const { tone, warned, lastSuccess, next } = boxOf(slot);
  return (
    <>
      <div class="line1">
        <Mark shape={tone} />
        <Version event={current} />
        <Age at={current.happened_at} {...time} />
      </div>
      {warned && <div class="warn">▲ last attempt failed</div>}
      {lastSuccess && (
        <div class="last">
          <Mark shape="ok" />
          <Version event={lastSuccess} />
          <Age at={lastSuccess.happened_at} {...time} />
        </div>
      )}
      {next && <Next event={next} />}
    </>
  );
}

function Version({ event }: { readonly event: DeploymentEvent }) {
  const version = versionOf(event);
  return (
    <span class="version" data-version={version}>
      <Cut text={version} />
    </span>
  );
}

function Next({ event }: { readonly event: DeploymentEvent }) {
  const [shape, word] = statusLook(event.status);
  return (
    <div class="next">
      <Mark shape={shape} />
      <span>{event.status === 'waiting' ? 'waiting for approval' : word}</span>
      <Version event={event} />
    </div>
  );
}

/** What a slot shows, by its events. */
function shownOf({ current, last_successful, next }: MatrixSlot): string {
  return [current, last_successful, next].map((event) => event?.id).join(' ');
}

/** Lets the element light up once when what it shows has become another. */
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
