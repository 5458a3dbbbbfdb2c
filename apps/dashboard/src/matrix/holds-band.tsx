import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { compileGlobs, plain } from '@shiplog/text';
import { holdText, scopeText } from '../board/notices.ts';
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
        <strong>{plain(holdText(first, nowMs))}</strong> <span class="soft">{plain(scopeText(first))}</span>
        {others.length > 0 && (
          <span class="soft" title={others.map((each) => plain(holdText(each, nowMs))).join('\n')}>
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
