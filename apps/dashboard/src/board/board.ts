import { byCodePoint, type DeploymentEvent, type Matrix, type MatrixRow, type MatrixSlot } from '@shiplog/contract';
import { slotAfter } from './slot.ts';

/** The matrix as the browser holds it: rows that nothing touched keep their identity from one board to the next. */
export interface Board {
  /** By code point. */
  readonly environments: readonly string[];
  /** By service; in the order of the service's code points. */
  readonly rows: ReadonlyMap<string, MatrixRow>;
}

export const emptyBoard: Board = { environments: [], rows: new Map() };

export function boardOf({ environments, rows }: Pick<Matrix, 'environments' | 'rows'>): Board {
  return { environments, rows: new Map(rows.map((row) => [row.service, row])) };
}

/** The slot of a row in an environment, whose name may be one that every object knows, such as `constructor`. */
export function slotIn({ slots }: MatrixRow, environment: string): MatrixSlot | undefined {
  return Object.hasOwn(slots, environment) ? slots[environment] : undefined;
}

/** What became of a board by some events. */
export interface BoardStep {
  readonly board: Board;
  /** Rows that are others than before. */
  readonly changed: readonly MatrixRow[];
  /** Services whose row the events do not determine: they have to be asked for. */
  readonly unknown: ReadonlySet<string>;
}

export function boardAfter(board: Board, events: readonly DeploymentEvent[]): BoardStep {
  const rows = new Map<string, MatrixRow>();
  const unknown = new Set<string>();
  for (const event of events) {
    const row = rows.get(event.service) ?? board.rows.get(event.service) ?? { service: event.service, slots: {} };
    const before = slotIn(row, event.environment);
    const after = slotAfter(before, event);
    if (after === 'unknown') unknown.add(event.service);
    else if (after && after !== before) rows.set(row.service, withSlot(row, event.environment, after));
    else if (!board.rows.has(row.service)) rows.set(row.service, row);
  }
  const changed = [...rows.values()].filter(({ service }) => !unknown.has(service));
  return { board: withRows(board, changed), changed, unknown };
}

function withSlot(row: MatrixRow, environment: string, slot: MatrixSlot): MatrixRow {
  // A name such as `__proto__` is a name like another.
  return { service: row.service, slots: Object.fromEntries([...Object.entries(row.slots), [environment, slot]]) };
}

/** The board with other rows in the place of those of the same service. */
export function withRows(board: Board, changed: readonly MatrixRow[]): Board {
  if (changed.length === 0) return board;
  const rows = new Map(board.rows);
  for (const row of changed) rows.set(row.service, row);
  const isNew = rows.size > board.rows.size;
  const environments = new Set(board.environments);
  for (const row of changed) for (const environment of Object.keys(row.slots)) environments.add(environment);
  return {
    environments:
      environments.size > board.environments.length ? [...environments].sort(byCodePoint) : board.environments,
    rows: isNew ? new Map([...rows].sort(([left], [right]) => byCodePoint(left, right))) : rows,
  };
}

/** What makes a board another: rows to put in, or `undefined` where some are gone and rows do not tell it. */
export function rowsBetween(before: Board, after: Board): MatrixRow[] | undefined {
  const isGone = [...before.rows].some(([service, row]) => {
    const left = after.rows.get(service);
    return !left || Object.keys(row.slots).some((environment) => !slotIn(left, environment));
  });
  if (isGone) return undefined;
  return [...after.rows.values()].filter((row) => !isSameRow(before.rows.get(row.service), row));
}

/** An event never changes, so slots of the same events are the same. */
function isSameRow(before: MatrixRow | undefined, after: MatrixRow): boolean {
  const names = Object.keys(after.slots);
  if (!before || Object.keys(before.slots).length !== names.length) return false;
  return names.every((name) => {
    const [one, other] = [slotIn(before, name), slotIn(after, name)];
    return (
      one?.current.id === other?.current.id &&
      one?.last_successful?.id === other?.last_successful?.id &&
      one?.next?.id === other?.next?.id &&
      one?.prev_failed === other?.prev_failed
    );
  });
}
