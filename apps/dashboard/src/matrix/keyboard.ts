import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GroupLine, HealthyLine, Line } from '../board/arrangement.ts';
import type { ColumnLayout, ColumnPlan } from './layout.ts';

export type FoldingLine = GroupLine | HealthyLine;

export interface GridActions {
  readonly onOpen: (service: string, environment: string) => void;
  readonly onToggle: (line: FoldingLine) => void;
  /** Called when the viewer chooses the cell of the other environments. */
  readonly onOthers: () => void;
}

interface GridKeyboardOptions extends GridActions {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly lines: readonly Line[];
  readonly plan: ColumnPlan;
  readonly tops: readonly number[];
  readonly layout: ColumnLayout;
  readonly headHeight: number;
}

/** Keyboard navigation of the grid: one cell has the focus, the arrow keys move the focus, and Enter opens the cell. */
export function useGridKeyboard(options: GridKeyboardOptions) {
  const { scroller, lines, plan } = options;
  // The focus is stored by name, so that a service added above doesn't move it.
  const [focus, setFocus] = useState<Focus>(() => firstOf(lines, plan));
  const position = positionOf(focus, lines, plan);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const element = scroller.current?.querySelector<HTMLElement>('[data-line] [tabindex="0"]');
    // A column off screen is rendered only after the grid has scrolled to it.
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });
  const move = (to: CellPosition) => {
    isMoving.current = true;
    reveal(options, to);
    setFocus({ line: lines[to.row]?.key, column: columnsOf(plan)[to.column] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[position.row];
    const isToggle = line !== undefined && toggles(event.key, line, position.column);
    const to = isToggle ? undefined : positionAfter(event.key, position, lines.length, columnsOf(plan).length);
    if (isToggle) options.onToggle(line);
    else if (to) move(to);
    else if ((event.key !== 'Enter' && event.key !== ' ') || !choose(event.target, options)) return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent) => {
    const at = focusAt(target);
    if (!at || !choose(target, options)) return;
    isMoving.current = true;
    setFocus(at);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const at = focusAt(target);
    if (at) setFocus(at);
  };
  return { ...position, move, handlers: { onKeyDown, onClick, onFocusIn } };
}

/** A column: an environment, or the column of the other environments. `undefined` = the line's name. */
type Column = { readonly environment: string } | 'others' | undefined;

interface Focus {
  readonly line: string | undefined;
  readonly column: Column;
}

function columnsOf({ columns, others }: ColumnPlan): Column[] {
  return [...columns.map((environment) => ({ environment })), ...(others.length > 0 ? ['others' as const] : [])];
}

function firstOf(lines: readonly Line[], plan: ColumnPlan): Focus {
  return { line: lines[0]?.key, column: lines[0]?.kind === 'row' ? columnsOf(plan)[0] : undefined };
}

/** The position of the focused cell. If the cell is gone, the name of its line; if the line is gone, the first line. */
function positionOf({ line, column }: Focus, lines: readonly Line[], { columns, others }: ColumnPlan): CellPosition {
  const found = lines.findIndex(({ key }) => key === line);
  const row = Math.max(0, found);
  if (column === undefined) return { row, column: -1 };
  if (column === 'others') return { row, column: others.length > 0 ? columns.length : -1 };
  return { row, column: columns.indexOf(column.environment) };
}

/** Whether a key opens or folds a line, as in a tree. For groups, only if the name has the focus. */
function toggles(key: string, line: Line, column: number): line is FoldingLine {
  if (line.kind === 'row' || (line.kind === 'group' && (column >= 0 || !line.canFold))) return false;
  return key === (line.isOpen ? 'ArrowLeft' : 'ArrowRight');
}

function focusAt(target: EventTarget | null): Focus | undefined {
  const element = target as Element;
  const { line } = element.closest<HTMLElement>('[data-line]')?.dataset ?? {};
  if (line === undefined) return undefined;
  const { environment, others } = element.closest<HTMLElement>('[role=gridcell]')?.dataset ?? {};
  return { line, column: environment === undefined ? (others === undefined ? undefined : 'others') : { environment } };
}

/** Opens the history of a slot, or opens or folds a line. @returns whether there was anything to open or fold. */
function choose(target: EventTarget | null, { lines, onOpen, onToggle, onOthers }: GridKeyboardOptions): boolean {
  const at = focusAt(target);
  const line = lines.find(({ key }) => key === at?.line);
  if (!at || !line) return false;
  if (line.kind === 'healthy' || (line.kind === 'group' && line.canFold)) onToggle(line);
  else if (line.kind === 'group' || at.column === undefined) return false;
  else if (at.column === 'others') onOthers();
  else onOpen(line.row.service, at.column.environment);
  return true;
}

/** Scrolls until the header, the names and the pinned columns don't cover a position. */
function reveal({ scroller, tops, layout, headHeight }: GridKeyboardOptions, { row, column }: CellPosition): void {
  const element = scroller.current;
  if (!element) return;
  const { lefts, nameWidth, pinnedWidth, scrolled } = layout;
  const top = tops[row] ?? 0;
  const bottom = tops[row + 1] ?? top;
  const heightVisible = element.clientHeight - headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + heightVisible) element.scrollTop = bottom - heightVisible;
  if (column < 0 || column >= scrolled) return;
  const left = lefts[column] ?? 0;
  const right = lefts[column + 1] ?? left;
  const widthVisible = element.clientWidth - nameWidth - pinnedWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + widthVisible) element.scrollLeft = right - widthVisible;
}

/** A cell of the grid. */
export interface CellPosition {
  readonly row: number;
  /** The index of the column; -1 = the name of the row. */
  readonly column: number;
}

const rowsPerPage = 8;

/** The position to which a key moves the focus; `undefined` for keys that don't move it. */
export function positionAfter(
  key: string,
  { row, column }: CellPosition,
  rows: number,
  columns: number,
): CellPosition | undefined {
  const at = (nextRow: number, nextColumn: number): CellPosition => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(-1, Math.min(columns - 1, nextColumn)),
  });
  const rowsDown = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsPerPage, PageUp: -rowsPerPage }[key];
  if (rowsDown !== undefined) return at(row + rowsDown, column);
  const nextColumn = { ArrowRight: column + 1, ArrowLeft: column - 1, Home: -1, End: columns - 1 }[key];
  return nextColumn === undefined ? undefined : at(row, nextColumn);
}
