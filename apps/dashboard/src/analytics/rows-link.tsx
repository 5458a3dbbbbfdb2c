import type { AnalyticsWindow, Status } from '@shiplog/contract';
import { type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { dayLabel } from './span.ts';
import { dayRows, type Target } from './targets.ts';

const ScopeFilter = createContext<Filter>(home.filter);
/** Narrows the linked events to the scope of the page. */
export const ScopeFilterProvider = ScopeFilter.Provider;

export function RowsLink({ to, ...props }: ComponentProps<typeof Link>) {
  const filter = useContext(ScopeFilter);
  return <Link {...props} to={to && scoped(to, filter)} />;
}

/** Narrows a link to the feed; an environment in the link itself takes precedence. */
export function scoped(to: Target, filter: Filter): Target {
  if (to.view !== 'feed') return to;
  const environments = to.filter?.environments ?? [];
  return { ...to, filter: { ...filter, environments: environments.length > 0 ? environments : filter.environments } };
}

interface DayLinkProps {
  readonly window: AnalyticsWindow;
  readonly date: string;
  readonly status?: Status;
}

export function DayLink({ window, date, status }: DayLinkProps) {
  return <RowsLink to={dayRows(window, date, status)}>{dayLabel(date)}</RowsLink>;
}
