import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { versionOf } from '@shiplog/text';
import type { Lag } from '../board/attention.ts';
import { problemText } from '../board/attention-words.ts';
import type { Box } from '../board/box.ts';
import { type Drift, driftLabel } from '../board/drift.ts';
import { isEffective } from '../board/board.ts';
import { useStore } from '../state/store.ts';
import { Age } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { statusLabel } from '../ui/status.tsx';
import { Version } from '../ui/version.tsx';

interface BoxLinesProps {
  readonly box: Box;
  readonly drift?: Drift | undefined;
  /** What takes longer than usual in this slot. */
  readonly lag?: Lag | undefined;
  /** A note on findings in the log for this slot. */
  readonly note?: string | undefined;
}

interface Times {
  /** Times instead of ages. */
  readonly absolute: boolean;
  /** The time that ages count to. */
  readonly nowMs: number;
}

/** The lines of a box: the version, then its age and status, then the rest. */
export function BoxLines({ box, drift, lag, note, ...times }: Times & BoxLinesProps) {
  const { named, latest, warned, hidden, lastSuccess, next } = box;
  const label = labelOf(box);
  const isNextLagging = lag && next && Date.parse(next.happened_at) === lag.sinceMs;
  const own = isNextLagging ? undefined : lag;
  return (
    <>
      <div class="main">
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
      {warned && <div class="warn strong fine">▲ {isEffective(latest) ? 'last attempt failed' : 'failed before'}</div>}
      {lastSuccess && <UnderLine className="last soft fine" event={lastSuccess} {...times} />}
      {next && (
        <div class="next soft fine row">
          <Mark shape={statusLook(next.status)[0]} />
          <span class="next-status">
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

/** Success needs no label. */
function labelOf({ isFirst, latest }: Box): string | undefined {
  if (isFirst) return `first ${statusLabel(latest.status)}`;
  return latest.status === 'success' ? undefined : statusLabel(latest.status);
}

/** A version, with its age if there is room. */
function UnderLine({
  className,
  event,
  absolute,
  nowMs,
}: Times & { readonly className: string; readonly event: DeploymentEvent }) {
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
}: {
  readonly className: string;
  readonly event: DeploymentEvent;
  readonly version: string;
  readonly shape?: Shape | undefined;
}) {
  return (
    <div class={`${className} ${shape}`}>
      <Mark shape={shape} />
      <Version text={version} />
    </div>
  );
}
