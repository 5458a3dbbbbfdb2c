import type { MatrixRow } from '@shiplog/contract';
import { type ArrangedGroup, type Arrangement, arrangedGroupKey } from './arrangement.ts';

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
