import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { HoldMark } from '../board/notices.ts';

const shapes = { freeze: 'freeze', lock: 'lock', bad: 'ban', outage: 'outage' } as const;

interface NoticeIconProps {
  readonly mark: Pick<HoldMark, 'text'> & { readonly kind: keyof typeof shapes };
}

/** A snowflake, a padlock, a ban or a bolt, with the reason of the hold or the outage as its title. */
export function NoticeIcon({ mark: { kind, text } }: NoticeIconProps) {
  return (
    <span class={`notice-icon ${kind}`} title={text}>
      <Mark shape={shapes[kind]} />
    </span>
  );
}
