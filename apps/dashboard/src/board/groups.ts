import type { MatrixRow } from '@shiplog/contract';
import { grouped } from '@shiplog/text';
import { memoizeLast } from './memoize.ts';
import { type Ownership, teamOf } from './ownership.ts';

/** The ways to group services: by the catalog's teams, by name prefixes, by the progress of their releases (layout Progress), or not at all. */
export const groupings = ['team', 'prefix', 'progress', 'none'] as const;
export type BoardGrouping = (typeof groupings)[number];
/** A grouping that depends only on the names of the services. */
export type Grouping = Exclude<BoardGrouping, 'progress'>;

export interface Group {
  /** A team or a prefix; `undefined`: services without a group, or all if nothing is grouped. */
  readonly name: string | undefined;
  readonly rows: readonly MatrixRow[];
}

const membersMin = 3;

/** The prefix of a name: the part before the first `-`, `.`, `_` or `/`, or the whole name. */
export function prefixOf(service: string): string {
  return /^[^-._/]*/.exec(service)?.[0] ?? '';
}

/** The default grouping: by team if any team is known, else by prefix if the services have several prefixes. */
export function groupingOf(services: Iterable<string>, ownership: Ownership): Grouping {
  const names = [...services];
  if (names.some((service) => teamOf(ownership, service) !== undefined)) return 'team';
  const nameOf = groupNames(names, 'prefix', ownership);
  return new Set(names.map(nameOf)).size > 1 ? 'prefix' : 'none';
}

/** The group name of each service. All services determine the prefixes, so that a filter doesn't rename groups. */
export function groupNames(
  services: readonly string[],
  grouping: Grouping,
  ownership: Ownership,
): (service: string) => string | undefined {
  if (grouping === 'none') return () => undefined;
  if (grouping === 'team') return (service) => teamOf(ownership, service);
  const prefixes = frequentPrefixes(services);
  return (service) => {
    const prefix = prefixOf(service);
    return prefixes.has(prefix) ? prefix : undefined;
  };
}

const frequentPrefixes = memoizeLast((services: readonly string[]): ReadonlySet<string> => {
  const byPrefix = [...grouped(services, prefixOf)];
  return new Set(byPrefix.flatMap(([prefix, members]) => (prefix && members.length >= membersMin ? prefix : [])));
});

/** Groups rows by name. Rows without a group come last. Within a group, rows keep their order. */
export function groupsOf(rows: readonly MatrixRow[], nameOf: (service: string) => string | undefined): Group[] {
  return [...grouped<MatrixRow, string | undefined>(rows, ({ service }) => nameOf(service))]
    .map(([name, members]) => ({ name, rows: members }))
    .sort(byGroupName);
}

/** The key of a group in an address. `-` is safe: no prefix contains it, and hardly any team is called that. */
export function groupKey({ name }: Pick<Group, 'name'>): string {
  return name ?? '-';
}

export function byGroupName({ name: one }: Pick<Group, 'name'>, { name: other }: Pick<Group, 'name'>): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one.localeCompare(other);
}
