import type { MatrixRow } from '@shiplog/contract';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Place, placeAfter } from './place.ts';

export interface WalkOptions {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly rows: readonly MatrixRow[];
  readonly columns: readonly string[];
  readonly tops: readonly number[];
  readonly lefts: readonly number[];
  readonly nameWidth: number;
  readonly headHeight: number;
  readonly onOpen: (service: string, environment: string) => void;
}

/** The keyboard on the grid: one place has the focus, arrows move it, Enter opens it. */
export function useWalk(options: WalkOptions) {
  const { scroller, rows, columns, onOpen } = options;
  const [wanted, setPlace] = useState<Place>({ row: 0, column: 0 });
  const place = {
    row: Math.min(wanted.row, Math.max(0, rows.length - 1)),
    column: Math.min(wanted.column, columns.length - 1),
  };
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const element = scroller.current?.querySelector<HTMLElement>('[role=row] [tabindex="0"]');
    // A column that is out of sight is drawn once it has been scrolled to.
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });
  const move = (to: Place) => {
    isMoving.current = true;
    reveal(options, to);
    setPlace(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, place, rows.length, columns.length);
    if (to) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (chosen(event.target, onOpen)) event.preventDefault();
    }
  };
  const onClick = ({ target }: MouseEvent) => {
    const at = cellAt(target);
    if (!at) return;
    isMoving.current = true;
    setPlace({
      row: rows.findIndex(({ service }) => service === at.service),
      column: columns.indexOf(at.environment),
    });
    chosen(target, onOpen);
  };
  return { ...place, handlers: { onKeyDown, onClick } };
}

function cellAt(target: EventTarget | null): { readonly service: string; readonly environment: string } | undefined {
  const { service, environment } = (target as Element).closest<HTMLElement>('.cell')?.dataset ?? {};
  return service !== undefined && environment !== undefined ? { service, environment } : undefined;
}

function chosen(target: EventTarget | null, onOpen: WalkOptions['onOpen']): boolean {
  const at = cellAt(target);
  if (at) onOpen(at.service, at.environment);
  return at !== undefined;
}

/** Scrolls as little as brings a place into sight, past the head and the names. */
function reveal({ scroller, tops, lefts, nameWidth, headHeight }: WalkOptions, { row, column }: Place): void {
  const element = scroller.current;
  if (!element) return;
  const top = tops[row] ?? 0;
  const bottom = tops[row + 1] ?? top;
  const heightInSight = element.clientHeight - headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + heightInSight) element.scrollTop = bottom - heightInSight;
  if (column < 0) return;
  const left = lefts[column] ?? 0;
  const right = lefts[column + 1] ?? left;
  const widthInSight = element.clientWidth - nameWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + widthInSight) element.scrollLeft = right - widthInSight;
}
