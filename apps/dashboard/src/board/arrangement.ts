import type { MatrixRow } from '@shiplog/contract';
import { byGroupName, type Group, groupKey, groupsOf } from './groups.ts';
import { movesBetween } from './moves.ts';

/** How the services of a group stand. */
export interface ArrangedGroup extends Pick<Group, 'name'> {
  /** In their order. */
  readonly services: readonly string[];
  /** Those of them that nobody has to look at. */
  readonly healthy: ReadonlySet<string>;
  /** Nothing in it needs anybody. */
  readonly isCalm: boolean;
  /** Services that have come since the board was arranged. */
  readonly isNew?: true;
}

/** How a board stands: its groups in their order. */
export type Arrangement = readonly ArrangedGroup[];

/** By what a board is arranged. */
export interface Arranging {
  /** The group of a service. */
  readonly nameOf: (service: string) => string | undefined;
  /** What needs somebody first, rather than all by name. */
  readonly isByAttention: boolean;
  /** The place of each service among those that need somebody. */
  readonly urgency: ReadonlyMap<string, number>;
  readonly isHealthy: (row: MatrixRow) => boolean;
  /** What is well, and groups that need nobody, are folded, if there is more than one group. */
  readonly folds: boolean;
}

/**
 * Rows, which come by name, in their groups: by name, or the worst group and in it the worst service first, what is well
 * last.
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
 * A board as it stood before, of what there is now: nothing moves. What has come stands below all, in the order in which
 * it came; what has gone is left out.
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

/** How many groups and services would stand elsewhere, or fold otherwise, if a board were arranged anew. */
export function movesTo(now: Arrangement, stands: Arrangement): number {
  const due = tokensOf(now);
  const are = tokensOf(stands);
  const changed = [...due].filter(([id, token]) => are.get(id) !== token).length;
  const same = (id: string) => due.get(id) === are.get(id);
  const inOrder = (arrangement: Arrangement) => orderedIds(arrangement, stands).filter(same);
  return changed + movesBetween(inOrder(stands), inOrder(now));
}

const idOf = { group: (key: string) => `group ${key}`, service: (name: string) => `service ${name}` };

/** Where each group and each service belongs, apart from their order. */
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

/** All whose order can be seen: what is well is folded, and so are groups that are calm. */
function orderedIds(arrangement: Arrangement, stands: Arrangement): string[] {
  const calm = new Set(stands.filter(({ isCalm }) => isCalm).map(arrangedGroupKey));
  return arrangement.flatMap((group) => {
    const key = arrangedGroupKey(group);
    const shown = calm.has(key) ? [] : group.services.filter((name) => !group.healthy.has(name));
    return [idOf.group(key), ...shown.map(idOf.service)];
  });
}

/** The same as in an address, but for the services that have come since. */
export function arrangedGroupKey(group: ArrangedGroup): string {
  return group.isNew ? '+' : groupKey(group);
}
