import type { AnalyticsWindow, Status } from '@shiplog/contract';
import { type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { dayLabel } from './span.ts';
import { type Cell, cell } from './table.tsx';
import type { Slot } from './targets.ts';
import { dayRows, slotHistory, type Target } from './targets.ts';

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

/** The first two cells of a slot's row in a table. */
export function slotCells(slot: Slot): Cell[] {
  const link = (
    <RowsLink to={slotHistory(slot)}>
      <Cut text={slot.service} />
    </RowsLink>
  );
  return [cell(slot.service, link), cell(slot.environment, <Cut text={slot.environment} />)];
}

export function SlotLink({ slot }: { readonly slot: Slot }) {
  return (
    <RowsLink to={slotHistory(slot)}>
      <Cut text={slot.service} /> <Cut text={`in ${slot.environment}`} className="soft" />
    </RowsLink>
  );
}
