import { useRef } from 'preact/hooks';
import type { Attention } from '../board/attention.ts';
import type { Address } from '../state/address.ts';
import type { PreferenceStore } from '../state/preferences.ts';

/** The window in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

const itemWidth = 256;
const besidePx = 64;
const itemsMax = 10;

/** How many columns of items fit, and how many rows at most: a low window keeps its height for the board. */
export function placesIn({ width, height }: Room): { readonly columns: number; readonly rowsMax: number } {
  const columns = Math.max(1, Math.min(itemsMax, Math.floor((width - besidePx) / itemWidth)));
  return { columns, rowsMax: height >= 860 ? 2 : height >= 620 ? 1 : 0 };
}

/** How many rows this number of items needs. */
export function rowsFor(count: number, room: Room): number {
  const { columns, rowsMax } = placesIn(room);
  return Math.min(rowsMax, Math.ceil(Math.min(count, itemsMax) / columns));
}

/** How many items fit in this number of rows. */
export function countIn(rows: number, room: Room): number {
  return Math.min(itemsMax, rows * placesIn(room).columns);
}

/** Items that come with the board; others arrive shortly after it. */
function isOfBoard({ kind }: Attention): boolean {
  return kind === 'failed' || kind === 'waits' || kind === 'ahead';
}

export interface KeptRows {
  /** The viewer's last action: when it changes, the number of rows is adjusted. */
  readonly since: unknown;
  readonly rows: number;
}

/**
 * The rows of the strip. Items that arrive without an action of the viewer don't move the board below: they replace less
 * urgent ones. Only if the strip had no rows, the first item that comes with the board adds one.
 */
export function cachedRows(
  before: KeptRows | undefined,
  since: unknown,
  items: readonly Attention[],
  room: Room,
): KeptRows {
  const needed = rowsFor(items.length, room);
  const isFirst = before?.rows === 0 && items.some(isOfBoard);
  if (before && before.since === since && !isFirst) return before;
  return { since, rows: needed };
}

/**
 * The rows during time travel: as many as the strip had at its start, at least one, so that no step moves the board below.
 * Further items are only counted.
 */
export function travelRows(before: KeptRows | undefined, items: readonly Attention[], room: Room): KeptRows {
  if (before?.since === travels) return before;
  return { since: travels, rows: Math.max(1, before?.rows ?? rowsFor(items.length, room)) };
}

const travels = 'travels';

/** The rows of the strip on a page, starting with the room that it had last time. */
export function useKeptRows(
  preferences: PreferenceStore,
  address: Pick<Address, 'asof'>,
  items: readonly Attention[],
  room: Room,
): number {
  const last = useRef<KeptRows | undefined>(undefined);
  const needed = Math.max(preferences.value.attentionRows, rowsFor(items.length, room));
  last.current = isTravelling(address)
    ? travelRows(last.current, items, room)
    : cachedRows(last.current ?? { since: address, rows: needed }, address, items, room);
  return Math.min(last.current.rows, placesIn(room).rowsMax);
}

/** Whether the address names a past board. */
export function isTravelling({ asof }: Pick<Address, 'asof'>): boolean {
  return asof !== undefined && asof !== 'now';
}
