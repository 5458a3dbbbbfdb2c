import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { HoldMark } from '../board/holds.ts';

const shapes = { freeze: 'freeze', lock: 'lock', bad: 'ban' } as const;

/** A snowflake, a padlock or a ban, with the reason of the hold as its title. */
export function HoldIcon({ mark: { kind, text } }: { readonly mark: HoldMark }) {
  return (
    <span class={`hold-icon ${kind}`} title={text}>
      <Mark shape={shapes[kind]} />
    </span>
  );
}
