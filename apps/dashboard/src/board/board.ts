import { byCodePoint, type DeploymentEvent, type Matrix, type MatrixRow } from '@shiplog/contract';
import { isSlot, type SlotState, slotStateAfter } from './slot.ts';

/** The matrix as the browser holds it: unchanged rows keep their identity from one board to the next. */
export interface Board {
  /** The environments of all slots and of pending first deployments; sorted by code point. */
  readonly environments: readonly string[];
  /** By service; sorted by code point. */
  readonly rows: ReadonlyMap<string, MatrixRow>;
}

export const emptyBoard: Board = { environments: [], rows: new Map() };

export function boardOf({ environments, rows }: Pick<Matrix, 'environments' | 'rows'>): Board {
  const board = { environments, rows: new Map(rows.map((row) => [row.service, row])) };
  return withRows(
    board,
    rows.filter(({ upcoming }) => upcoming),
  );
}

/** The state of a slot. Environment names may equal the name of an object's member, such as `constructor`. */
export function slotStateIn({ slots, upcoming = {} }: MatrixRow, environment: string): SlotState | undefined {
  if (Object.hasOwn(slots, environment)) return slots[environment];
  return Object.hasOwn(upcoming, environment) ? upcoming[environment] : undefined;
}

/** Every environment in which a row has a state. */
export function environmentsOf({ slots, upcoming = {} }: MatrixRow): string[] {
  return [...Object.keys(slots), ...Object.keys(upcoming)];
}

/** Every slot state of a row. */
export function slotStatesOf({ slots, upcoming = {} }: MatrixRow): SlotState[] {
  return [...Object.values(slots), ...Object.values(upcoming)];
}

/** A board after some events. */
export interface BoardStep {
  readonly board: Board;
  /** Rows that have changed. */
  readonly changed: readonly MatrixRow[];
  /** Services whose row can't be computed from the events and has to be requested. */
  readonly unknown: ReadonlySet<string>;
}

export function boardAfter(board: Board, events: readonly DeploymentEvent[]): BoardStep {
  const rows = new Map<string, MatrixRow>();
  const unknown = new Set<string>();
  for (const event of events) {
    const row = rows.get(event.service) ?? board.rows.get(event.service) ?? { service: event.service, slots: {} };
    const before = slotStateIn(row, event.environment);
    const after = slotStateAfter(before, event);
    if (after === 'unknown') unknown.add(event.service);
    else if (after !== before) rows.set(row.service, withSlotState(row, event.environment, after));
  }
  const changed = [...rows.values()].filter(({ service }) => !unknown.has(service));
  return { board: withRows(board, changed), changed, unknown };
}

function withSlotState(
  { service, slots, upcoming = {} }: MatrixRow,
  environment: string,
  slotState: SlotState,
): MatrixRow {
  // Unlike assignment, `Object.fromEntries` accepts a name such as `__proto__`.
  const elsewhere = Object.entries(upcoming).filter(([name]) => name !== environment);
  const waiting = isSlot(slotState) ? elsewhere : [...elsewhere, [environment, slotState] as const];
  return {
    service,
    slots: isSlot(slotState) ? Object.fromEntries([...Object.entries(slots), [environment, slotState]]) : slots,
    ...(waiting.length > 0 ? { upcoming: Object.fromEntries(waiting) } : {}),
  };
}

/** Replaces the rows of the same services. */
export function withRows(board: Board, changed: readonly MatrixRow[]): Board {
  if (changed.length === 0) return board;
  const rows = new Map(board.rows);
  for (const row of changed) rows.set(row.service, row);
  const isNew = rows.size > board.rows.size;
  const environments = new Set(board.environments);
  for (const row of changed) for (const environment of environmentsOf(row)) environments.add(environment);
  return {
    environments:
      environments.size > board.environments.length ? [...environments].sort(byCodePoint) : board.environments,
    rows: isNew ? new Map([...rows].sort(([left], [right]) => byCodePoint(left, right))) : rows,
  };
}

/** The rows that turn one board into another; `undefined` if rows or slots are gone, which rows can't express. */
export function rowsBetween(before: Board, after: Board): MatrixRow[] | undefined {
  const isGone = [...before.rows].some(([service, row]) => {
    const left = after.rows.get(service);
    return !left || environmentsOf(row).some((environment) => !slotStateIn(left, environment));
  });
  if (isGone) return undefined;
  return [...after.rows.values()].filter((row) => !isSameRow(before.rows.get(row.service), row));
}

/** Events never change, so states with the same events are equal. */
function isSameRow(before: MatrixRow | undefined, after: MatrixRow): boolean {
  const names = environmentsOf(after);
  if (!before || environmentsOf(before).length !== names.length) return false;
  return names.every((name) => stateKey(slotStateIn(before, name)) === stateKey(slotStateIn(after, name)));
}

function stateKey(slotState: SlotState | undefined): string {
  if (!slotState || !isSlot(slotState)) return `${slotState?.id}`;
  const { current, last_successful, next, prev_failed } = slotState;
  return JSON.stringify([current.id, last_successful?.id, next?.id, prev_failed]);
}
