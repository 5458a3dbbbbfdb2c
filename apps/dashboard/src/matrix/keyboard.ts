import type { MatrixRow } from '@shiplog/contract';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type CellPosition, positionAfter } from './cell-position.ts';

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

/** The keyboard on the grid: one position has the focus, arrows move it, Enter opens it. */
export function useWalk(options: WalkOptions) {
  const { scroller, rows, columns, onOpen } = options;
  // By names, so that a new service above does not move the focus to another one.
  const [wanted, setWanted] = useState<Wanted>({ service: rows[0]?.service, environment: columns[0] });
  const position = positionOf(wanted, rows, columns);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const element = scroller.current?.querySelector<HTMLElement>('[role=row] [tabindex="0"]');
    // A column that is not visible is drawn once it has been scrolled to.
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });
  const move = (to: CellPosition) => {
    isMoving.current = true;
    reveal(options, to);
    setWanted({ service: rows[to.row]?.service, environment: columns[to.column] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = positionAfter(event.key, position, rows.length, columns.length);
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
    setWanted(at);
    chosen(target, onOpen);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const at = cellAt(target);
    if (at) setWanted(at);
  };
  return { ...position, handlers: { onKeyDown, onClick, onFocusIn } };
}

interface Wanted {
  readonly service: string | undefined;
  /** `undefined` = the name of the row. */
  readonly environment: string | undefined;
}

/** The position of the wanted cell; if it is gone, the first row or the name of the row. */
function positionOf(
  { service, environment }: Wanted,
  rows: readonly MatrixRow[],
  columns: readonly string[],
): CellPosition {
  const row = rows.findIndex((each) => each.service === service);
  return { row: Math.max(0, row), column: environment === undefined ? -1 : columns.indexOf(environment) };
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

/** Scrolls just far enough that a position is visible beside the head and the names. */
function reveal({ scroller, tops, lefts, nameWidth, headHeight }: WalkOptions, { row, column }: CellPosition): void {
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
