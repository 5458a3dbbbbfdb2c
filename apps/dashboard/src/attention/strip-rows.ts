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

/** How many items stand side by side, and in how many rows at most: a low window keeps its height for the board. */
export function placesIn({ width, height }: Room): { readonly columns: number; readonly rowsMax: number } {
  const columns = Math.max(1, Math.min(itemsMax, Math.floor((width - besidePx) / itemWidth)));
  return { columns, rowsMax: height >= 860 ? 2 : height >= 620 ? 1 : 0 };
}

/** The rows that so many items take. */
export function rowsFor(count: number, room: Room): number {
  const { columns, rowsMax } = placesIn(room);
  return Math.min(rowsMax, Math.ceil(Math.min(count, itemsMax) / columns));
}

/** How many items so many rows show. */
export function countIn(rows: number, room: Room): number {
  return Math.min(itemsMax, rows * placesIn(room).columns);
}

/** What the board itself tells; the rest is known a moment after it. */
function isOfBoard({ kind }: Attention): boolean {
  return kind === 'failed' || kind === 'waits' || kind === 'ahead';
}

export interface KeptRows {
  /** Whatever the viewer did last: the rows are as many as it takes whenever this changes. */
  readonly since: unknown;
  readonly rows: number;
}

/**
 * The rows of the strip. What comes by itself moves nothing below it: it takes the place of what is less urgent. Only where
 * there was no row at all does the first thing that the board tells bring one.
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
 * The rows while somebody travels through past boards: those that the strip had when they set out, one at least, so that
 * no step moves what stands below. What has no place is counted beside the others.
 */
export function travelRows(before: KeptRows | undefined, items: readonly Attention[], room: Room): KeptRows {
  if (before?.since === travels) return before;
  return { since: travels, rows: Math.max(1, before?.rows ?? rowsFor(items.length, room)) };
}

const travels = 'travels';

/** The same in a page, with the room that it had when it was last seen. */
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

/** Whether a past board is asked for. */
export function isTravelling({ asof }: Pick<Address, 'asof'>): boolean {
  return asof !== undefined && asof !== 'now';
}
