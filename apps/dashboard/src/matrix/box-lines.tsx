import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { type Box, versionOf } from '../board/box.ts';
import { isEffective } from '../board/slot.ts';
import { Age } from '../ui/age.tsx';
import { Mark } from '../ui/mark.tsx';
import { statusLabel } from '../ui/status.tsx';
import { Version } from '../ui/version.tsx';

interface Times {
  /** Instants rather than ages. */
  readonly absolute: boolean;
  /** The time that ages are shown by. */
  readonly nowMs: number;
}

/** A box as lines of text. The version has the first line to itself. */
export function BoxLines({ box, ...times }: Times & { readonly box: Box }) {
  const { named, latest, warned, hidden, lastSuccess, next } = box;
  const label = labelOf(box);
  return (
    <>
      <div class="main">
        <EventLine className="line1" event={latest} version={versionOf(named)} />
        {label === undefined ? (
          <Age at={latest.happened_at} {...times} />
        ) : (
          <div class="line2">
            <span>{label}</span> <Age at={latest.happened_at} {...times} />
          </div>
        )}
      </div>
      {hidden && <UnderLine className="hidden-report" event={hidden} {...times} />}
      {warned && <div class="warn">▲ {isEffective(latest) ? 'last attempt failed' : 'failed before'}</div>}
      {lastSuccess && <UnderLine className="last" event={lastSuccess} {...times} />}
      {next && (
        <div class="next">
          <Mark shape={statusLook(next.status)[0]} />
          <span class="next-status">{statusLabel(next.status)}</span>
          <Version text={versionOf(next)} />
        </div>
      )}
    </>
  );
}

/** What the mark alone does not tell. */
function labelOf({ tone, latest }: Box): string | undefined {
  if (tone === 'wait') return `first ${statusLabel(latest.status)}`;
  return isEffective(latest) ? undefined : statusLabel(latest.status);
}

/** A version with its age, where there is room for it beside the version. */
function UnderLine({
  className,
  event,
  absolute,
  nowMs,
}: Times & { readonly className: string; readonly event: DeploymentEvent }) {
  return (
    <div class={`under ${className}`}>
      <EventLine className="what" event={event} version={versionOf(event)} />
      <Age at={event.happened_at} nowMs={nowMs} absolute={absolute && 'day'} />
    </div>
  );
}

function EventLine({
  className,
  event,
  version,
}: {
  readonly className: string;
  readonly event: DeploymentEvent;
  readonly version: string;
}) {
  const [shape] = statusLook(event.status);
  return (
    <div class={`${className} ${shape}`}>
      <Mark shape={shape} />
      <Version text={version} />
    </div>
  );
}
