import { type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import type { Target } from './targets.ts';

const ScopeFilter = createContext<Filter>(home.filter);
/** What narrows the events behind a mark: the scope that its figure has. */
export const ScopeFilterProvider = ScopeFilter.Provider;

/** A link to the events behind a mark, in the scope of the page. */
export function RowsLink({ to, ...props }: ComponentProps<typeof Link>) {
  const filter = useContext(ScopeFilter);
  return <Link {...props} to={to && scoped(to, filter)} />;
}

/** A target in the feed, narrowed to the scope; the environment that it names itself stays. */
export function scoped(to: Target, filter: Filter): Target {
  if (to.view !== 'feed') return to;
  const environments = to.filter?.environments ?? [];
  return { ...to, filter: { ...filter, environments: environments.length > 0 ? environments : filter.environments } };
}
