import type { MatrixRow } from '@shiplog/contract';
import { grouped } from './grouped.ts';
import { memoizeLast } from './memoize.ts';
import { type Ownership, teamOf } from './ownership.ts';

/** By the team that the catalog names, or by how names begin. */
export const groupings = ['team', 'prefix', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** Services that belong together. */
export interface Group {
  /** A team, or a prefix; `undefined`: the services that belong to none, or all, where nothing is grouped. */
  readonly name: string | undefined;
  readonly rows: readonly MatrixRow[];
}

const membersMin = 3;

/** What a name begins with: all before the first `-`, `.`, `_` or `/`, or all of it. */
export function prefixOf(service: string): string {
  return /^[^-._/]*/.exec(service)?.[0] ?? '';
}

/** How a board is grouped if its viewer says nothing: by teams if any is known, else by prefixes if there are several groups. */
export function groupingOf(services: Iterable<string>, ownership: Ownership): Grouping {
  const names = [...services];
  if (names.some((service) => teamOf(ownership, service) !== undefined)) return 'team';
  const nameOf = groupNames(names, 'prefix', ownership);
  return new Set(names.map(nameOf)).size > 1 ? 'prefix' : 'none';
}

/** The group of each service; prefixes are those of all these services, so that a filter leaves a group its name. */
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

/** Rows in their groups, by name; what belongs to none stands last. Within a group rows keep their order. */
export function groupsOf(rows: readonly MatrixRow[], nameOf: (service: string) => string | undefined): Group[] {
  const byName = new Map<string | undefined, MatrixRow[]>();
  for (const row of rows) {
    const name = nameOf(row.service);
    const members = byName.get(name);
    if (members) members.push(row);
    else byName.set(name, [row]);
  }
  return [...byName].map(([name, members]) => ({ name, rows: members })).sort(byGroupName);
}

/** A group in an address: no prefix has this sign, and hardly a team is called by it alone. */
export function groupKey({ name }: Pick<Group, 'name'>): string {
  return name ?? '-';
}

export function byGroupName({ name: one }: Pick<Group, 'name'>, { name: other }: Pick<Group, 'name'>): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one.localeCompare(other);
}
