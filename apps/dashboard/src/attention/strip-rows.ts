import { useRef } from 'preact/hooks';
import type { Attention } from '../board/attention.ts';
import type { Address } from '../state/address.ts';
import type { PreferenceStore } from '../state/preferences.ts';

export interface Room {
  readonly width: number;
  readonly height: number;
}

const itemWidth = 256;
const marginPx = 64;
const itemsMax = 10;

/**
 * The number of columns that fit, and the maximum number of rows, which is small in a low window to leave space for the
 * board.
 */
export function spaceIn({ width, height }: Room): { readonly columns: number; readonly rowsMax: number } {
  const columns = Math.max(1, Math.min(itemsMax, Math.floor((width - marginPx) / itemWidth)));
  return { columns, rowsMax: height >= 860 ? 2 : height >= 620 ? 1 : 0 };
}

export function rowsFor(count: number, room: Room): number {
  const { columns, rowsMax } = spaceIn(room);
  return Math.min(rowsMax, Math.ceil(Math.min(count, itemsMax) / columns));
}

export function countIn(rows: number, room: Room): number {
  return Math.min(itemsMax, rows * spaceIn(room).columns);
}

/** Whether the board alone shows that an item needs attention. Other items arrive shortly after the board. */
function isOfBoard({ kind }: Attention): boolean {
  return kind === 'failed' || kind === 'waits' || kind === 'ahead';
}

export interface StripRows {
  /** The viewer's last action. The next action adjusts the number of rows. */
  readonly since: unknown;
  readonly rows: number;
}

/**
 * The number of rows changes only after an action of the viewer, so that arriving items replace less urgent items and
 * don't move the board below. An empty strip gets a row when the board has its first item.
 */
export function cachedRows(
  before: StripRows | undefined,
  since: unknown,
  items: readonly Attention[],
  room: Room,
): StripRows {
  const needed = rowsFor(items.length, room);
  const isFirst = before?.rows === 0 && items.some(isOfBoard);
  if (before && before.since === since && !isFirst) return before;
  return { since, rows: needed };
}

/** During time travel the strip keeps its rows (at least one), so that a step in time doesn't move the board below. */
export function travelRows(before: StripRows | undefined, items: readonly Attention[], room: Room): StripRows {
  if (before?.since === travels) return before;
  return { since: travels, rows: Math.max(1, before?.rows ?? rowsFor(items.length, room)) };
}

const travels = 'travels';

/** Starts with as many rows as the strip had last time. */
export function useStripRows(
  preferences: PreferenceStore,
  address: Pick<Address, 'asof'>,
  items: readonly Attention[],
  room: Room,
): number {
  const last = useRef<StripRows | undefined>(undefined);
  const needed = Math.max(preferences.value.attentionRows, rowsFor(items.length, room));
  last.current = isTravelling(address)
    ? travelRows(last.current, items, room)
    : cachedRows(last.current ?? { since: address, rows: needed }, address, items, room);
  return Math.min(last.current.rows, spaceIn(room).rowsMax);
}

export function isTravelling({ asof }: Pick<Address, 'asof'>): boolean {
  return asof !== undefined && asof !== 'now';
}
