import { type AnalyticsWindow, type Status, unknownActor } from '@shiplog/contract';
import { literalGlob } from '@shiplog/text';
import { type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { everyEnvironment } from '../board/scope.ts';
import { type Address, changesOf, home } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { dayInterval } from './period.ts';

/** The change to the address that shows the events behind a figure. */
type Target = Partial<Address>;

/** Narrows the linked events to the scope of the page. */
export const ScopeFilter = createContext<Filter | undefined>(undefined);

export function RowsLink({ to, ...props }: ComponentProps<typeof Link>) {
  const filter = useContext(ScopeFilter);
  return <Link {...props} to={to && filter ? scoped(to, filter) : to} />;
}

/** Narrows a link to the changes; an environment in the link itself takes precedence. */
export function scoped(to: Target, filter: Filter): Target {
  if (to.view !== 'changes') return to;
  const environments = (to.filter?.environments ?? []).filter((name) => name !== everyEnvironment);
  return { ...to, filter: { ...filter, environments: environments.length > 0 ? environments : filter.environments } };
}

/** The deployments of the period; all filters but those given are reset, because the figures cover the whole log. */
export function windowRows({ from, to }: AnalyticsWindow, narrowed: Target = {}): Target {
  return changesOf({ range: { from, to }, ...narrowed });
}

export function dayRows(window: AnalyticsWindow, date: string, status?: Status): Target {
  return windowRows(window, { range: dayInterval(date, window), status });
}

/** Lists an actor's events; `undefined` for events without an actor, which can't be listed (aggregation rule 5). */
export function actorRows(window: AnalyticsWindow, actor: string): Target | undefined {
  return actor === unknownActor ? undefined : windowRows(window, { actor });
}

/** Lists the deployments of a stage. */
export function stageRows(window: AnalyticsWindow, environment: string): Target {
  return windowRows(window, { filter: { ...home.filter, environments: [literalGlob(environment)] } });
}
