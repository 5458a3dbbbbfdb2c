import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useAttention } from '../attention/use-attention.ts';
import { home, type View, views } from '../state/address.ts';
import { useAddress } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { ViewSettings } from './view-menu.tsx';
import { viewNames } from './views.ts';
import './tabs.css';

const tabbed: readonly View[] = ['board', 'feed', 'analytics'];

export function Tabs() {
  const { view, servicesOnly } = useAddress();
  const { items } = useAttention();
  const others = views.filter((name) => !tabbed.includes(name));
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);
  const plain = { slot: undefined, attention: home.attention };
  return (
    <nav class="tabs" aria-label="Views">
      <Link
        to={{ ...plain, view: 'board', servicesOnly: false }}
        aria-current={current(view === 'board' && !servicesOnly)}
      >
        <Mark shape="flag" />
        Attention
        {items.length > 0 && <b class="badge">{items.length}</b>}
      </Link>
      <Link
        to={{ ...plain, view: 'board', servicesOnly: true }}
        aria-current={current(view === 'board' && servicesOnly)}
      >
        <Mark shape="list" />
        Services
      </Link>
      <Link to={{ ...plain, view: 'feed' }} aria-current={current(view === 'feed')}>
        <Mark shape="clock" />
        Feed
      </Link>
      <Link to={{ ...plain, view: 'analytics' }} aria-current={current(view === 'analytics')}>
        <Mark shape="chart" />
        Analytics
      </Link>
      <Menu
        title={
          <span class="tab">
            <Mark shape="dots" />
            More
          </span>
        }
      >
        {others.map((name) => (
          <Link key={name} to={{ ...plain, view: name }} aria-current={current(view === name)}>
            {viewNames[name].title}
          </Link>
        ))}
        <ViewSettings />
      </Menu>
    </nav>
  );
}
