import type { Counts as Numbers } from '../board/shown.ts';
import { useShown } from '../ui/app.ts';

const tones = { services: '', environments: '', running: 'run', failed: 'bad' } as const satisfies Record<
  keyof Numbers,
  string
>;

/** The counts of what passes the filters, out of how many. */
export function Counts() {
  const { counts, all } = useShown();
  return (
    <span class="counts">
      {(Object.keys(tones) as (keyof Numbers)[]).map((name) => (
        <span key={name} class={counts[name] > 0 ? tones[name] : ''}>
          <b>{counts[name]}</b> {counts[name] === all[name] ? '' : `of ${all[name]} `}
          {all[name] === 1 ? name.replace(/s$/, '') : name}
        </span>
      ))}
    </span>
  );
}
