import { literalName } from '@shiplog/text';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FoldingLine, Line } from '../board/arrangement.ts';
import type { Column } from '../board/columns.ts';
import { useAddress } from '../ui/app.ts';
import { copied } from '../ui/copy-button.tsx';
import type { ColumnLayout } from './layout.ts';

export interface GridActions {
  readonly onOpen: (service: string, environment: string) => void;
  readonly onToggle: (line: FoldingLine) => void;
  /** Called when the viewer folds or unfolds a stage. */
  readonly onFold: (column: Column) => void;
}

interface GridKeyboardOptions extends GridActions {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly lines: readonly Line[];
  readonly columns: readonly Column[];
  readonly tops: readonly number[];
  readonly layout: ColumnLayout;
  readonly headHeight: number;
}

/** Keyboard navigation of the grid: one cell has the focus, the arrow keys move the focus, and Enter opens the cell. */
export function useGridKeyboard(options: GridKeyboardOptions) {
  const { scroller, lines, columns } = options;
  // The focus is stored by name, so that a service added above doesn't move it.
  const [focus, setFocus] = useState<Focus>(() => ({
    line: lines[0]?.key,
    column: lines[0]?.kind === 'row' ? columns[0] : undefined,
  }));
  const position = positionOf(focus, lines, columns);
  const isMoving = useRef(false);
  const isChosen = useRef(false);
  const { slot, filter } = useAddress();
  const [glob, ...others] = filter.services;
  const only = glob === undefined || others.length > 0 ? undefined : literalName(glob);
  // A history or a service may have been chosen elsewhere; the keys go on at its cell, or at the line that folds it.
  useLayoutEffect(() => {
    const service = slot?.service ?? only;
    const row = lines.findLastIndex((line) => service !== undefined && hasService(line, service));
    const line = lines[row];
    if (!line) return;
    const of = (each: Column) => line.kind === 'row' && each.environments.includes(slot?.environment ?? '');
    reveal(options, { row, column: columns.findIndex(of) });
    isChosen.current = true;
    setFocus({ line: line.key, column: columns.find(of) });
  }, [slot?.service, slot?.environment, only, lines.length > 0]);
  const hadFocus = scroller.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    // The focused cell may be gone, and a cell that is moved in the DOM loses the focus.
    if (hadFocus && document.activeElement === document.body) isMoving.current = true;
    // Only the next render shows the chosen cell.
    const isNext = isChosen.current;
    isChosen.current = false;
    if (isNext || !isMoving.current) return;
    const element = scroller.current?.querySelector<HTMLElement>('[data-line] [tabindex="0"]');
    // A column off screen is rendered only after the grid has scrolled to it.
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });
  const move = (to: CellPosition) => {
    isMoving.current = true;
    reveal(options, to);
    setFocus({ line: lines[to.row]?.key, column: columns[to.column] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCopy(event)) return void copyVersion(event.target as Element);
    const line = lines[position.row];
    const isToggle = line !== undefined && toggles(event.key, line, position.column);
    const to = isToggle ? undefined : positionAfter(event.key, position, lines.length, columns.length);
    if (isToggle) options.onToggle(line);
    else if (to) move(to);
    else if ((event.key !== 'Enter' && event.key !== ' ') || !choose(event.target, options)) return;
    event.preventDefault();
  };
  const choosePointed = (target: EventTarget | null) => {
    const at = focusAt(target, columns);
    if (!at || !choose(target, options)) return;
    isMoving.current = true;
    setFocus(at);
  };
  const onClick = ({ target, detail }: MouseEvent) => {
    const pressed = target as Element;
    // Dragging over a text selects it; the second click of a double click was handled by the first.
    if (pressed.closest('[data-copy]')) void copyVersion(pressed);
    else if (detail <= 1 && !isSelecting()) choosePointed(target);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const at = focusAt(target, columns);
    if (at) setFocus(at);
  };
  return { ...position, move, handlers: { onKeyDown, onClick, onFocusIn } };
}

function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function isCopy({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'c' && !isSelecting();
}

/** Copies the version of a cell, and says so on its button. */
async function copyVersion(within: Element): Promise<void> {
  const button = within.closest('.cell')?.querySelector<HTMLElement>('[data-copy]');
  const version = button?.dataset.copy;
  if (!button || version === undefined || !(await copied(version))) return;
  button.dataset.copied = '';
  setTimeout(() => delete button.dataset.copied, 1500);
}

interface Focus {
  readonly line: string | undefined;
  /** `undefined` = the line's name. */
  readonly column: Column | undefined;
}

/**
 * The position of the focused cell. If its column is gone, the first one of its stage, which may have been folded, or
 * else the name of the line; if the line is gone, the first line.
 */
function positionOf({ line, column }: Focus, lines: readonly Line[], columns: readonly Column[]): CellPosition {
  const row = Math.max(
    0,
    lines.findIndex(({ key }) => key === line),
  );
  const same = columns.findIndex(({ key }) => key === column?.key);
  const ofStage = same >= 0 || !column?.stage ? same : columns.findIndex(({ stage }) => stage === column.stage);
  return { row, column: ofStage };
}

function hasService(line: Line, service: string): boolean {
  return (line.kind === 'row' ? [line.row] : line.rows).some((row) => row.service === service);
}

/** Whether a key opens or folds a line, as in a tree. For groups, only if the name has the focus. */
function toggles(key: string, line: Line, column: number): line is FoldingLine {
  if (line.kind === 'row' || (line.kind === 'group' && (column >= 0 || !line.canFold))) return false;
  return key === (line.isOpen ? 'ArrowLeft' : 'ArrowRight');
}

function focusAt(target: EventTarget | null, columns: readonly Column[]): Focus | undefined {
  const element = target as Element;
  const { line } = element.closest<HTMLElement>('[data-line]')?.dataset ?? {};
  if (line === undefined) return undefined;
  const key = element.closest<HTMLElement>('[role=gridcell]')?.dataset.column;
  return { line, column: columns.find((column) => column.key === key) };
}

/** Opens the history of a slot, or opens or folds a line or a stage. @returns whether there was anything to open. */
function choose(
  target: EventTarget | null,
  { lines, columns, onOpen, onToggle, onFold }: GridKeyboardOptions,
): boolean {
  const { line: lineKey, column } = focusAt(target, columns) ?? {};
  const line = lines.find(({ key }) => key === lineKey);
  if (!line) return false;
  if (line.kind === 'healthy' || (line.kind === 'group' && line.canFold)) onToggle(line);
  else if (line.kind === 'group' || !column) return false;
  else if (column.isFolded) onFold(column);
  else onOpen(line.row.service, column.environments[0] ?? '');
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
