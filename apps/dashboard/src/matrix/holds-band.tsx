import type { Hold } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { compileGlobs, holdReason, plain } from '@shiplog/text';
import { dayTime } from '../board/day-time.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { useApp, useBoardContext, useNow, useShown } from '../ui/app.ts';
import { runCommand } from '../ui/commands.ts';

/** The freezes of the shown environments that are in force or begin within a day (holds.md 4.3). */
export function HoldsBand() {
  const { navigation } = useApp();
  const { columns } = useShown();
  const { freezes } = useBoardContext().notices;
  const nowMs = useNow();
  const [first, ...others] = freezes.filter(({ environments }) => columns.some(compileGlobs(environments)));
  if (!first) return null;
  return (
    <section class="holds-band row" aria-label="Freeze">
      <Mark shape="freeze" />
      <p role="status">
        <strong>{plain(freezeText(first, nowMs))}</strong> <span class="soft">{plain(scopeText(first))}</span>
        {others.length > 0 && (
          <span class="soft" title={others.map((each) => plain(freezeText(each, nowMs))).join('\n')}>
            {' '}
            · {others.length} more
          </span>
        )}
      </p>
      <button type="button" class="chip" onClick={() => runCommand('holds', navigation)}>
        Change
      </button>
      {first.url !== null && (
        <OuterLink url={first.url} label="The page about the freeze">
          More
        </OuterLink>
      )}
    </section>
  );
}

/** "Frozen until 4 Jan 08:00: Christmas (Ines)", "From tomorrow 18:00 frozen until 4 Jan 08:00: Christmas (Ines)". */
function freezeText(hold: Hold, nowMs: number): string {
  const written = (instant: string) => dayTime(Date.parse(instant), nowMs);
  const reason = holdReason(hold, written);
  if (Date.parse(hold.from) > nowMs) return `From ${written(hold.from)} ${reason}`;
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
}

function scopeText({ services, environments, exceptions }: Hold): string {
  const all = services.includes('*') ? 'all services' : services.join(', ');
  const excepted = exceptions.flatMap((exception) => exception.services);
  const except = excepted.length > 0 ? `, except ${[...new Set(excepted)].join(', ')}` : '';
  return `${all} in ${environments.join(', ')}${except}`;
}
