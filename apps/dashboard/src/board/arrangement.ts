import type { MatrixRow } from '@shiplog/contract';
import { byGroupName, type Group, groupKey, groupsOf } from './groups.ts';

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

/**
 * How many values must move to reach another order; the longest run in order can stay. Ignores values that the order
 * does not contain.
 */
export function movesBetween(stands: readonly string[], order: readonly string[]): number {
  const positions = new Map(order.map((value, position) => [value, position]));
  const due = stands.flatMap((value) => positions.get(value) ?? []);
  return due.length - longestRise(due);
}

/** The length of the longest rising sequence in some different numbers. */
function longestRise(numbers: readonly number[]): number {
  /** The smallest number that ends a rise of each length. */
  const ends: number[] = [];
  for (const number of numbers) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = number;
  }
  return ends.length;
}

/** One line of the board, from the left edge to the right one. */
export type Line = GroupLine | RowLine | HealthyLine;

/** A group: its name and its roll-up. */
export interface GroupLine {
  readonly kind: 'group';
  readonly key: string;
  readonly group: ArrangedGroup;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  /** Whether it can be folded or opened. */
  readonly canFold: boolean;
}

/** A service. */
export interface RowLine {
  readonly kind: 'row';
  readonly key: string;
  readonly row: MatrixRow;
  /** The tree level: 2 in a group, 1 without groups. */
  readonly level: number;
}

/** The healthy services of an open group, named in one line. */
export interface HealthyLine {
  readonly kind: 'healthy';
  readonly key: string;
  readonly group: ArrangedGroup;
  readonly rows: readonly MatrixRow[];
  /** Their rows follow below it. */
  readonly isOpen: boolean;
}

/** What the viewer opened and folded, by group key. */
export interface Unfolding {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly whole: readonly string[];
}

/** The rows of some services; the same array while all rows are the same, by line key. */
export type RowsOf = (key: string, services: readonly string[]) => readonly MatrixRow[];

/** Caches the rows of each line from board to board. */
export function cachedRows(): (rows: readonly MatrixRow[]) => RowsOf {
  const kept = new Map<string, readonly MatrixRow[]>();
  return (rows) => {
    const byService = new Map(rows.map((row) => [row.service, row]));
    return (key, services) => {
      const now = services.flatMap((service) => byService.get(service) ?? []);
      const before = kept.get(key);
      if (before?.length === now.length && before.every((row, index) => row === now[index])) return before;
      kept.set(key, now);
      return now;
    };
  };
}

/** The lines of an arrangement; `canFold` = whether groups can be folded at all. */
export function boardLines(arrangement: Arrangement, rowsOf: RowsOf, unfolding: Unfolding, canFold: boolean): Line[] {
  const isGrouped = arrangement.length > 1 || arrangement.some(({ name }) => name !== undefined);
  const asLines = (list: readonly MatrixRow[]) =>
    list.map((row): Line => ({ kind: 'row', key: `row ${row.service}`, row, level: isGrouped ? 2 : 1 }));
  return arrangement.flatMap((group): Line[] => {
    const key = arrangedGroupKey(group);
    if (!isGrouped) return asLines(rowsOf(key, group.services));
    const canFoldThis = canFold && group.isNew !== true;
    const isOpen = !canFoldThis || isOpened(group, unfolding);
    const head: Line = {
      kind: 'group',
      key: `group ${key}`,
      group,
      rows: rowsOf(`group ${key}`, group.services),
      isOpen,
      canFold: canFoldThis,
    };
    if (!isOpen) return [head];
    const isIn = (service: string) => group.healthy.has(service);
    const healthy = rowsOf(`healthy ${key}`, group.services.filter(isIn));
    const shown = asLines(
      rowsOf(
        `shown ${key}`,
        group.services.filter((service) => !isIn(service)),
      ),
    );
    if (healthy.length === 0) return [head, ...shown];
    const isWhole = unfolding.whole.includes(key);
    const named: Line = { kind: 'healthy', key: `healthy ${key}`, group, rows: healthy, isOpen: isWhole };
    return [head, ...shown, named, ...(isWhole ? asLines(healthy) : [])];
  });
}

function isOpened(group: ArrangedGroup, { opened, closed, whole }: Unfolding): boolean {
  const key = arrangedGroupKey(group);
  return opened.includes(key) || whole.includes(key) || (!closed.includes(key) && !group.isCalm);
}

/** The unfolding after a group is opened or folded. */
export function toggledGroup({ key, group, isOpen }: Toggled, { opened, closed, whole }: Unfolding): Unfolding {
  const without = (keys: readonly string[]) => keys.filter((other) => other !== key);
  return {
    opened: [...without(opened), ...(!isOpen && group.isCalm ? [key] : [])],
    closed: [...without(closed), ...(isOpen && !group.isCalm ? [key] : [])],
    whole: without(whole),
  };
}

interface Toggled {
  /** The key of the group. */
  readonly key: string;
  readonly group: ArrangedGroup;
  readonly isOpen: boolean;
}

/** The unfolding after the healthy services of a group are shown or folded. */
export function toggledHealthy(key: string, { whole, ...rest }: Unfolding): Unfolding {
  return { ...rest, whole: whole.includes(key) ? whole.filter((other) => other !== key) : [...whole, key] };
}

/** How many services are folded into another line. */
export function foldedCount(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => {
    const isFolded = line.kind !== 'row' && !line.isOpen;
    return isFolded ? sum + line.rows.length : sum;
  }, 0);
}
