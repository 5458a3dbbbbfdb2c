import type { MatrixRow } from '@shiplog/contract';
import { byGroupName, type Group, groupKey, groupsOf } from './groups.ts';
import { movesBetween } from './moves.ts';

/** A group with its services in order. */
export interface ArrangedGroup extends Pick<Group, 'name'> {
  /** In their order. */
  readonly services: readonly string[];
  /** The services that need no attention. */
  readonly healthy: ReadonlySet<string>;
  /** No service in it needs attention. */
  readonly isCalm: boolean;
  /** Holds the services that appeared after the board was arranged. */
  readonly isNew?: true;
}

/** The groups of a board, in order. */
export type Arrangement = readonly ArrangedGroup[];

/** How to arrange a board. */
export interface Arranging {
  /** The group of a service. */
  readonly nameOf: (service: string) => string | undefined;
  /** Sorts services that need attention first, instead of all by name. */
  readonly isByAttention: boolean;
  /** The rank of each service that needs attention, most urgent first. */
  readonly urgency: ReadonlyMap<string, number>;
  readonly isHealthy: (row: MatrixRow) => boolean;
  /** Folds healthy services and groups that need no attention, if there is more than one group. */
  readonly folds: boolean;
}

/**
 * Groups rows, which arrive sorted by name: by name, or the worst group first and in it the worst service first, with
 * healthy services last.
 */
export function arranged(rows: readonly MatrixRow[], arranging: Arranging): Arrangement {
  const { nameOf, isByAttention, urgency, isHealthy } = arranging;
  const members = groupsOf(rows, nameOf);
  const folds = arranging.folds && members.length > 1;
  const groups = members.map(({ name, rows: inGroup }) => {
    const healthy = new Set(folds ? inGroup.filter(isHealthy).map(({ service }) => service) : []);
    const rank = (service: string) => urgency.get(service) ?? urgency.size + Number(healthy.has(service));
    const services = inGroup.map(({ service }) => service);
    if (isByAttention) services.sort((one, other) => rank(one) - rank(other));
    const worst = services.reduce(
      (least, service) => Math.min(least, urgency.get(service) ?? urgency.size),
      urgency.size,
    );
    return { name, services, healthy, isCalm: folds && worst === urgency.size, worst };
  });
  if (isByAttention) groups.sort((one, other) => one.worst - other.worst || byGroupName(one, other));
  return groups.map(({ worst: _, ...group }) => group);
}

/**
 * Keeps a former arrangement for the services present now, so that nothing moves. Services that appeared since follow
 * at the end in order of arrival; those that are gone are left out.
 */
export function steadied(before: Arrangement, now: Arrangement): Arrangement {
  const present = new Set(now.flatMap(({ services }) => services));
  const stood = new Set(before.flatMap(({ services }) => services));
  const arrived = [...present].filter((service) => !stood.has(service));
  const groups = before
    .map((group) => ({ ...group, services: group.services.filter((name) => present.has(name)) }))
    .filter(({ services }) => services.length > 0);
  if (arrived.length === 0) return groups;
  const last = groups.at(-1);
  const isUngrouped = groups.length === 1 && now.length === 1 && last?.name === now[0]?.name;
  if (last && (isUngrouped || last.isNew)) {
    return groups.with(-1, { ...last, services: [...last.services, ...arrived] });
  }
  return [...groups, { name: undefined, services: arrived, healthy: new Set(), isCalm: false, isNew: true }];
}

/** How many groups and services would move or fold differently if the board were arranged again. */
export function movesTo(now: Arrangement, stands: Arrangement): number {
  const due = tokensOf(now);
  const are = tokensOf(stands);
  const changed = [...due].filter(([id, token]) => are.get(id) !== token).length;
  const same = (id: string) => due.get(id) === are.get(id);
  const inOrder = (arrangement: Arrangement) => orderedIds(arrangement, stands).filter(same);
  return changed + movesBetween(inOrder(stands), inOrder(now));
}

const idOf = { group: (key: string) => `group ${key}`, service: (name: string) => `service ${name}` };

/** The group and folding of each group and service, apart from their order. */
function tokensOf(arrangement: Arrangement): Map<string, string> {
  return new Map(
    arrangement.flatMap((group) => {
      const key = arrangedGroupKey(group);
      const services = group.services.map(
        (name) => [idOf.service(name), `${group.healthy.has(name)} ${key}`] as [string, string],
      );
      return [[idOf.group(key), `${group.isCalm}`] as [string, string], ...services];
    }),
  );
}

/**
 * The groups and services with a visible order: not healthy services, which are folded, nor the services of calm
 * groups.
 */
function orderedIds(arrangement: Arrangement, stands: Arrangement): string[] {
  const calm = new Set(stands.filter(({ isCalm }) => isCalm).map(arrangedGroupKey));
  return arrangement.flatMap((group) => {
    const key = arrangedGroupKey(group);
    const shown = calm.has(key) ? [] : group.services.filter((name) => !group.healthy.has(name));
    return [idOf.group(key), ...shown.map(idOf.service)];
  });
}

/** The group's key in an address, except for the group of services that appeared since. */
export function arrangedGroupKey(group: ArrangedGroup): string {
  return group.isNew ? '+' : groupKey(group);
}
