import { useAddress } from './app.ts';
import { Link } from './link.tsx';
import '../style/view-tabs.css';

/** The two questions of the view Releases: where a release is, and what would reach an environment from another one. */
export function ReleaseTabs() {
  const { release } = useAddress();
  const tab = (name: typeof release.tab) => ({
    to: { slot: undefined, release: { ...release, tab: name } },
    'aria-current': release.tab === name ? ('page' as const) : undefined,
  });
  return (
    <nav class="view-tabs" aria-label="Releases">
      <Link {...tab('answer')}>Find a release</Link>
      <Link {...tab('reach')}>Compare environments</Link>
    </nav>
  );
}
