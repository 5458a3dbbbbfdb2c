import {
  byCodePoint,
  type DeploymentEvent,
  instantKey,
  type Matrix,
  type MatrixRow,
  type MatrixSlot,
} from '@shiplog/contract';

/** A service in an environment: a cell of the board. */
export interface Slot {
  readonly service: string;
  readonly environment: string;
}

/** The matrix in the browser. An unchanged row is the same object in the next board. */
export interface Board {
  /** The environments of all slots and pending first deployments, sorted by code point. */
  readonly environments: readonly string[];
  /** By service, sorted by code point. */
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

/** Safe for environments that have the name of an object member, such as `constructor`. */
export function slotStateIn({ slots, upcoming = {} }: MatrixRow, environment: string): SlotState | undefined {
  if (Object.hasOwn(slots, environment)) return slots[environment];
  return Object.hasOwn(upcoming, environment) ? upcoming[environment] : undefined;
}

export function environmentsOf({ slots, upcoming = {} }: MatrixRow): string[] {
  return [...Object.keys(slots), ...Object.keys(upcoming)];
}

export function slotStatesOf({ slots, upcoming = {} }: MatrixRow): SlotState[] {
  return [...Object.values(slots), ...Object.values(upcoming)];
}

interface BoardStep {
  readonly board: Board;
  readonly changed: readonly MatrixRow[];
  /** Services whose rows can't be computed from the events and must be requested. */
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

/** The rows that turn one board into another; `undefined` if the later board lacks rows or slots. */
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

/** The state of a service in an environment: its slot, or the event that announces the first deployment there. */
export type SlotState = MatrixSlot | DeploymentEvent;

export function slotKey(service: string, environment: string): string {
  return JSON.stringify([service, environment]);
}

export function isSlot(slotState: SlotState): slotState is MatrixSlot {
  return 'current' in slotState;
}

/**
 * The state after one more event, by the rules of the matrix (§2 MatrixSlot, readings 4.1 to 4.3), or `unknown`: a slot
 * holds at most four rows of its history, so it can't place every late event. A repeated event changes nothing.
 */
export function slotStateAfter(slotState: SlotState | undefined, event: DeploymentEvent): SlotState | 'unknown' {
  if (slotState && isSlot(slotState)) return slotAfter(slotState, event);
  // In a slot without an effective row, only the latest event counts.
  if (!isEffective(event)) return slotState && !isLater(event, slotState) ? slotState : event;
  return { current: event, ...(slotState && instantIsLater(slotState, event) ? { next: slotState } : {}) };
}

function slotAfter(slot: MatrixSlot, event: DeploymentEvent): MatrixSlot | 'unknown' {
  if (!isEffective(event)) return withNext(slot, isLater(event, slot.next) ? event : slot.next);
  if (event.id === slot.current.id || event.id === slot.last_successful?.id) return slot;
  return isLater(event, slot.current) ? withCurrent(slot, event) : 'unknown';
}

function withCurrent(slot: MatrixSlot, event: DeploymentEvent): MatrixSlot | 'unknown' {
  const { current } = slot;
  // "Strictly older" compares only times (reading 4.2), so only the log can order a running row and a deployment that
  // ended at exactly the same time.
  const isRun = event.status === 'in-progress';
  if (isRun && (current.status === 'in-progress' || instantKey(event.happened_at) === instantKey(current.happened_at)))
    return 'unknown';
  const success = current.status === 'success' ? current : slot.last_successful;
  const next = slot.next && instantIsLater(slot.next, event) ? slot.next : undefined;
  return {
    current: event,
    ...(event.status !== 'success' && success ? { last_successful: success } : {}),
    ...(isRun && current.status === 'failure' ? { prev_failed: true as const } : {}),
    ...(next ? { next } : {}),
  };
}

function withNext(slot: MatrixSlot, next: DeploymentEvent | undefined): MatrixSlot {
  if (next === slot.next || !next || !instantIsLater(next, slot.current)) return slot;
  return { ...slot, next };
}

/** Whether an event starts or ends a deployment (§2 Status). */
export function isEffective({ status }: DeploymentEvent): boolean {
  return status === 'in-progress' || status === 'success' || status === 'failure';
}

function isLater(event: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  return !other || byTime(event, other) > 0;
}

function instantIsLater(event: DeploymentEvent, other: DeploymentEvent): boolean {
  return instantKey(event.happened_at) > instantKey(other.happened_at);
}

export function msOf({ happened_at }: DeploymentEvent): number {
  return Date.parse(happened_at);
}

/** Sorts earlier events first: by time, then by id, like the log (reading 4.2). */
export function byTime(left: DeploymentEvent, right: DeploymentEvent): number {
  const [one, other] = [instantKey(left.happened_at), instantKey(right.happened_at)];
  if (one !== other) return one < other ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** The last of some events in the order of `byTime`. */
export function newestOf(events: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  return events.reduce<DeploymentEvent | undefined>(
    (newest, event) => (newest && byTime(event, newest) < 0 ? newest : event),
    undefined,
  );
}

/** Sorts newer events first, like the listing (§4 Read). */
export function newestFirst(left: DeploymentEvent, right: DeploymentEvent): number {
  return byTime(right, left);
}
