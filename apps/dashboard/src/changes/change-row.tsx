import type { Breach, Change } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { releaseName, versionOf } from '@shiplog/text';
import { BreachMark } from '../log/breaches.tsx';
import { ReleaseLink } from '../log/release-link.tsx';
import { clockName, startOf } from '../range/calendar.ts';
import { DayTime } from '../ui/day-time.tsx';
import { memo } from '../ui/memo.ts';
import { StatusLabel, statusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { ChangeDetails } from './change-details.tsx';
import { durationWords } from './change-list.ts';
import { ServiceName } from './service-name.tsx';

interface ChangeRowProps {
  readonly change: Change;
  readonly breach: Breach | undefined;
  readonly rowKey: string;
  readonly prefix: string;
  readonly isOpen: boolean;
  /** The start of the only day of the range, whose times need no day. */
  readonly day: number | undefined;
}

export const ChangeRow = memo(({ change, breach, rowKey, prefix, isOpen, day }: ChangeRowProps) => {
  const { service, environment, state, actor, minutes, started_at, ended_at } = change;
  const [shape] = statusLook(state);
  const at = ended_at ?? started_at;
  return (
    <li class={`change ${shape}${isOpen ? ' opened' : ''}`} data-key={rowKey}>
      <div class="change-line">
        <StatusLabel status={state} />
        <ServiceName name={service} prefix={prefix} />
        <Step change={change} breach={breach} />
        <Cut text={environment} className="change-environment" />
        <Cut text={actor ?? ''} className="change-actor small" />
        <span class="change-duration small right nowrap">{minutes === null ? '' : durationWords(minutes)}</span>
        <span class="change-ended small right nowrap">
          {ended_at === null && 'since '}
          {ended_at !== null && startOf('day', Date.parse(at), 0, 'local') === day ? (
            <time class="age" dateTime={at}>
              {clockName(Math.floor(Date.parse(at) / 60_000) * 60_000)}
            </time>
          ) : (
            <DayTime at={at} />
          )}
        </span>
        <button
          type="button"
          class="change-toggle soft bare"
          aria-expanded={isOpen}
          aria-label={`Events: ${service} ${versionOf(change)} in ${environment}, ${statusLabel(state)}`}
        >
          <Mark shape="chevron" />
        </button>
      </div>
      {isOpen && <ChangeDetails change={change} />}
    </li>
  );
});

/** "1.4.1 → 1.4.2", linked to the release, and whether it is a rollback. */
function Step({ change, breach }: Pick<ChangeRowProps, 'change' | 'breach'>) {
  const { previous, rollback } = change;
  const before = previous && releaseName(previous);
  return (
    <span class="change-step shrink row gap-6">
      {before && (
        <>
          <span class="soft change-before">
            <Version text={before} />
          </span>
          <span>→</span>
        </>
      )}
      <ReleaseLink event={change} />
      <BreachMark breach={breach} />
      {rollback && (
        <span class="rollback tiny firm row gap-4">
          <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
            <path class="line" d="M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H7" />
          </svg>
          rollback
        </span>
      )}
    </span>
  );
}
