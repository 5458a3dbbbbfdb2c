import type { MatrixRow } from '@shiplog/contract';
import { byGroupName, type Group, groupKey, groupsOf } from './groups.ts';
import { toggled } from './toggled.ts';

export interface ArrangedGroup extends Pick<Group, 'name'> {
  readonly services: readonly string[];
  readonly healthy: ReadonlySet<string>;
  readonly isCalm: boolean;
  /** This group has the services that appeared after the board was arranged. */
  readonly isNew?: true;
}

export type Arrangement = readonly ArrangedGroup[];

export interface Arranging {
  readonly nameOf: (service: string) => string | undefined;
  /** Services that need attention come first. */
  readonly isByAttention: boolean;
  /** The rank of each service that needs attention, most urgent first. */
  readonly urgency: ReadonlyMap<string, number>;
  readonly isHealthy: (row: MatrixRow) => boolean;
  /** Folds healthy services and groups that need no attention, if there is more than one group. */
  readonly folds: boolean;
}

/** Groups rows that are sorted by name. By attention, the worst group and service come first, healthy services last. */
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

/** Keeps the previous arrangement, so that nothing moves. Services that have appeared since come last. */
export function steadied(before: Arrangement, now: Arrangement): Arrangement {
  const present = new Set(now.flatMap(({ services }) => services));
  const known = new Set(before.flatMap(({ services }) => services));
  const arrived = [...present].filter((service) => !known.has(service));
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

/** Whether arranging the board again would neither move nor fold anything. */
export function isSameArrangement(one: Arrangement, other: Arrangement): boolean {
  const order = (arrangement: Arrangement) =>
    arrangement.map((group) => [
      arrangedGroupKey(group),
      group.isCalm,
      group.services.filter((name) => !group.healthy.has(name)),
      [...group.healthy].sort(),
    ]);
  return JSON.stringify(order(one)) === JSON.stringify(order(other));
}

/** The `groupKey` of a group, except for the group of services that appeared after the board was arranged. */
function arrangedGroupKey(group: ArrangedGroup): string {
  return group.isNew ? '+' : groupKey(group);
}

export type FoldingLine = GroupLine | HealthyLine;
export type Line = FoldingLine | RowLine;

export interface GroupLine {
  readonly kind: 'group';
  readonly key: string;
  readonly group: ArrangedGroup;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  readonly canFold: boolean;
}

export interface RowLine {
  readonly kind: 'row';
  readonly key: string;
  readonly row: MatrixRow;
  /** The tree level: 2 in a group, 1 without groups. */
  readonly level: number;
}

/** Names the healthy services of an open group. */
export interface HealthyLine {
  readonly kind: 'healthy';
  readonly key: string;
  readonly group: ArrangedGroup;
  readonly rows: readonly MatrixRow[];
  /** The rows of the services follow below this line. */
  readonly isOpen: boolean;
}

/** The keys of the groups that the viewer opened or folded. */
export interface Unfolding {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly whole: readonly string[];
}

/** The rows of some services; returns the same array while no row of the line changes. */
type RowsOf = (key: string, services: readonly string[]) => readonly MatrixRow[];

export function cachedRows(): (rows: readonly MatrixRow[]) => RowsOf {
  const cached = new Map<string, readonly MatrixRow[]>();
  return (rows) => {
    const byService = new Map(rows.map((row) => [row.service, row]));
    return (key, services) => {
      const now = services.flatMap((service) => byService.get(service) ?? []);
      const before = cached.get(key);
      if (before?.length === now.length && before.every((row, index) => row === now[index])) return before;
      cached.set(key, now);
      return now;
    };
  };
}

export function boardLines(arrangement: Arrangement, rowsOf: RowsOf, unfolding: Unfolding, canFold: boolean): Line[] {
  const isGrouped = arrangement.length > 1 || arrangement.some(({ name }) => name !== undefined);
  const asLines = (list: readonly MatrixRow[]) =>
    list.map((row): Line => ({ kind: 'row', key: `row ${row.service}`, row, level: isGrouped ? 2 : 1 }));
  return arrangement.flatMap((group): Line[] => {
    const key = arrangedGroupKey(group);
    if (!isGrouped) return asLines(rowsOf(key, group.services));
    const canFoldThis = canFold && group.isNew !== true;
    const isOpen = !canFoldThis || isOpened(group, unfolding);
    const all = rowsOf(`group ${key}`, group.services);
    const head: Line = { kind: 'group', key: `group ${key}`, group, rows: all, isOpen, canFold: canFoldThis };
    if (!isOpen) return [head];
    const isIn = (service: string) => group.healthy.has(service);
    const healthy = rowsOf(`healthy ${key}`, group.services.filter(isIn));
    const shown = asLines(all.filter(({ service }) => !isIn(service)));
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

/** What is open after the viewer opens or folds a line. */
export function toggledLine({ kind, group, isOpen }: FoldingLine, unfolding: Unfolding): Unfolding {
  const { opened, closed, whole } = unfolding;
  const key = arrangedGroupKey(group);
  const without = (keys: readonly string[]) => keys.filter((other) => other !== key);
  if (kind === 'healthy') return { opened, closed, whole: toggled(whole, key) };
  return {
    opened: [...without(opened), ...(!isOpen && group.isCalm ? [key] : [])],
    closed: [...without(closed), ...(isOpen && !group.isCalm ? [key] : [])],
    whole: without(whole),
  };
}

export function foldedCount(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => (line.kind === 'row' || line.isOpen ? sum : sum + line.rows.length), 0);
}
