import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useSortedAttention } from '../attention/use-attention.ts';
import { servicesIn } from '../board/attention-words.ts';
import { home, type View, views } from '../state/address.ts';
import { useAddress } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { viewNames } from './views.ts';
import './tabs.css';

const shapes = { board: 'board', changes: 'list', releases: 'tag', analytics: 'chart' } as const satisfies Record<
  View,
  Shape
>;

/** The views on a phone. */
export function Tabs() {
  const { view } = useAddress();
  const count = servicesIn(useSortedAttention().recent);
  return (
    <nav class="tabs" aria-label="Views">
      {views.map((name) => (
        <Link
          key={name}
          to={{ view: name, slot: undefined, attention: home.attention }}
          aria-current={name === view ? 'page' : undefined}
        >
          <Mark shape={shapes[name]} />
          {viewNames[name].title}
          {name === 'board' && count > 0 && <b class="badge">{count}</b>}
        </Link>
      ))}
    </nav>
  );
}
