import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { versionOf } from '@shiplog/text';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Lag, lagIn } from '../board/attention.ts';
import { problemText } from '../board/attention-words.ts';
import { isEffective, type SlotState } from '../board/board.ts';
import { type Box, boxOf, lookOf } from '../board/box.ts';
import { type Drift, driftLabel } from '../board/drift.ts';
import { type Facts, factsIn } from '../board/facts.ts';
import { findingNote } from '../board/finding-titles.ts';
import type { FutureRow } from '../board/future-rows.ts';
import { cellSentence } from '../board/sentence.ts';
import { useStore } from '../state/store.ts';
import { Age } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { lightUp } from '../ui/light-up.ts';
import { memo } from '../ui/memo.ts';
import { statusLabel } from '../ui/status.tsx';
import { Version } from '../ui/version.tsx';
import type { CellLayout } from './layout.ts';

interface Times {
  /** Whether to show times instead of ages. */
  readonly absolute: boolean;
  /** The time that ages are relative to. */
  readonly nowMs: number;
}

interface CellProps extends CellLayout, Times {
  readonly service: string;
  readonly slotState: SlotState | undefined;
  readonly ahead: FutureRow | undefined;
  readonly drift: Drift | undefined;
  readonly facts: Facts;
}

const gapPx = 8;

/** One slot of the board. Its accessible name is a sentence with everything that it shows. */
export const Cell = memo((props: CellProps) => {
  const { service, environment, slotState, ahead, drift, facts, column, left, width, isActive, nowMs } = props;
  const box = slotState && boxOf(slotState, ahead);
  const lag = box && lagIn({ service, environment, box }, facts);
  const note = findingNote(factsIn(facts, service, environment)?.findings ?? []);
  const flashed = useFlash(box && idsOf(box));
  return (
    <div
      ref={flashed}
      role="gridcell"
      class={box ? `cell tile ${lookOf(box)}${lag ? ` ${lag.kind}` : ''}` : 'cell tile none'}
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
      <div class="column inside" aria-hidden="true">
        {box ? <BoxLines box={box} drift={drift} lag={lag} note={note} absolute={props.absolute} nowMs={nowMs} /> : '—'}
      </div>
    </div>
  );
});

function idsOf({ latest, lastSuccess, next, hidden }: Box): string {
  return `${latest.id} ${lastSuccess?.id} ${next?.id} ${hidden?.id}`;
}

function useFlash(shown: string | undefined) {
  const at = useApp().past.value.shown;
  const element = useRef<HTMLDivElement>(null);
  const before = useRef({ shown, at });
  useLayoutEffect(() => {
    // A step to another time of the board doesn't count as a change.
    const isNew = before.current.shown !== shown && before.current.at === at;
    before.current = { shown, at };
    if (isNew) lightUp(element.current);
  }, [shown, at]);
  return element;
}

interface BoxLinesProps extends Times {
  readonly box: Box;
  readonly drift: Drift | undefined;
  readonly lag: Lag | undefined;
  /** A note on findings in the log for this slot. */
  readonly note?: string | undefined;
}

/** The lines of a box: the version, its age and status, then other facts. */
export function BoxLines({ box, drift, lag, note, ...times }: BoxLinesProps) {
  const { isFirst, named, latest, warned, hidden, lastSuccess, next } = box;
  const status = statusLabel(latest.status);
  // Success needs no label.
  const label = isFirst ? `first ${status}` : latest.status === 'success' ? undefined : status;
  const isNextLagging = lag && next && Date.parse(next.happened_at) === lag.sinceMs;
  const own = isNextLagging ? undefined : lag;
  return (
    <>
      <div class="column main">
        <EventLine
          className="line1 row"
          event={latest}
          version={versionOf(named)}
          shape={own?.kind === 'stuck' ? 'stuck' : undefined}
        />
        <div class="line2 cut small">
          {label && !own && <span class="label">{label} </span>}
          {own ? <LagWords lag={own} nowMs={times.nowMs} /> : <Age at={latest.happened_at} {...times} />}
          {drift && <span class="drift">{driftLabel(drift)}</span>}
          {note && (
            <span class="finding soft" title={note}>
              <Mark shape="ring" />
            </span>
          )}
        </div>
      </div>
      {hidden && <UnderLine className="hidden-report fine" event={hidden} {...times} />}
      {warned && (
        <div class="warn nowrap strong tiny">▲ {isEffective(latest) ? 'last attempt failed' : 'failed before'}</div>
      )}
      {lastSuccess && <UnderLine className="last soft fine" event={lastSuccess} {...times} />}
      {next && (
        <div class="next nowrap soft tiny row">
          <Mark shape={statusLook(next.status)[0]} />
          <span class="cut">
            {statusLabel(next.status)}
            {isNextLagging && (
              <>
                , <LagWords lag={lag} nowMs={times.nowMs} />
              </>
            )}
          </span>
          <Version text={versionOf(next)} />
        </div>
      )}
    </>
  );
}

/** "slow: 41 min, usually 9 min". */
function LagWords({ lag, nowMs }: { readonly lag: Lag; readonly nowMs: number }) {
  const isOut = useStore(useApp().outage) !== undefined;
  const words = problemText(lag, { nowMs, isOut });
  return (
    <span class="lag strong cut" title={words}>
      {words}
    </span>
  );
}

interface LineProps {
  readonly className: string;
  readonly event: DeploymentEvent;
}

function UnderLine({ className, event, absolute, nowMs }: Times & LineProps) {
  return (
    <div class={`under ${className}`}>
      <EventLine className="what row" event={event} version={versionOf(event)} />
      <Age at={event.happened_at} nowMs={nowMs} absolute={absolute && 'day'} />
    </div>
  );
}

function EventLine({
  className,
  event,
  version,
  shape = statusLook(event.status)[0],
}: LineProps & { readonly version: string; readonly shape?: Shape | undefined }) {
  return (
    <div class={`${className} ${shape}`}>
      <Mark shape={shape} />
      <Version text={version} />
    </div>
  );
}
