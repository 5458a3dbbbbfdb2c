import { type DeploymentEvent, hasLostRows, type MatrixRow } from '@shiplog/contract';
import { type Board, boardAfter, emptyBoard, rowsBetween, withRows } from '../board/board.ts';
import type { Link, TabMessage } from './messages.ts';
import type { Answer, Request } from './source-client.ts';
import { snapshotMs } from './source-times.ts';
import { type Effect, type Phase, type StreamEvent, streamTable } from './stream-table.ts';

/** How many removed ids to keep: frames of removed events may still arrive. */
const removedMax = 100;
/** If more rows than this are needed, the whole board is requested. */
const requestedRowsMax = 8;

/**
 * The events that change the board, and the request that each event causes. Events are applied one at a time: the next
 * one waits until all requests of the previous one are answered, so that a snapshot never overtakes an event.
 *
 * ```
 *   started ─────────────────────────────────► board
 *   catch-up ─── replay, and not stale ──────► head ───► the stream has caught up
 *        └────── anything else ──────────────► board ──► the stream has caught up
 *   events ───── a late one, of few services ► rows
 *        └────── of many ────────────────────► board
 *   check ──► anchor ── in the log, and live ► head, if it is unknown
 *                 └──── anything else ───────► board
 *   removed ─────────────────────────────────► board
 * ```
 *
 * After any failure the board is stale until the next snapshot: a board counts as live only if it is known to be right.
 */
export type BoardEvent =
  | { readonly name: 'started' }
  | { readonly name: 'catch-up'; readonly connection: number }
  /** Events from the stream, in the order of the log. */
  | { readonly name: 'events'; readonly events: readonly DeploymentEvent[] }
  /** Checks that the board still matches the service's board. */
  | { readonly name: 'check' }
  | { readonly name: 'removed'; readonly id: string }
  /** A frame can't be parsed, so anything may have changed. Only this event skips the queue. */
  | { readonly name: 'unreadable' };

export type SourceState = Readonly<typeof initialState>;

export const initialState = {
  phase: 'down' as Phase,
  /** Counts connections. A response to a request from an earlier connection says nothing about this stream. */
  connection: 0,
  /** How the connection began (`X-Stream-Resume`). */
  resume: null as string | null,
  /** The end of the log when the connection caught up; defined only in the phase `open`. */
  head: undefined as string | undefined,
  /** Why the stream was lost, and why the last request failed. */
  lostBy: undefined as string | undefined,
  failedBy: undefined as string | undefined,
  board: emptyBoard,
  isStale: true,
  /** When the board was last known to match the service's board; 0 = never. */
  asOf: 0,
  snapshotAt: 0,
  /** The ETag of the board, until an event changes it. */
  etag: undefined as string | undefined,
  /** The board includes all events up to this id. The rows of some services include later events. */
  position: '',
  rowPositions: new Map<string, string>() as ReadonlyMap<string, string>,
  /** The id of an event in the log. If the log no longer has this event, the log was cleared. */
  anchor: undefined as string | undefined,
  removed: [] as readonly string[],
  sentUpTo: '',
  sentLink: undefined as Link | undefined,
};

export interface Step {
  readonly state: SourceState;
  readonly effects: readonly Effect[];
  readonly messages: readonly TabMessage[];
  readonly request: Request | undefined;
}

function step(state: SourceState, { effects = [], messages = [], request }: Partial<Omit<Step, 'state'>> = {}): Step {
  return { state, effects, messages, request };
}

export function takeStream(before: SourceState, event: StreamEvent): Step {
  const transition = streamTable[before.phase][event.name];
  if (transition === 'ignored') return step(before);
  const { next, effects } = transition;
  const state = { ...before, phase: next, head: undefined, ...changedBy(event, before) };
  if (!effects.includes('send-link')) return step(state, { effects });
  return step({ ...state, sentLink: linkOf(state) }, { effects, messages: [linkMessage(state)] });
}

function changedBy(event: StreamEvent, { connection }: SourceState): Partial<SourceState> {
  if (event.name === 'opened') return { connection: connection + 1, resume: event.resume };
  if (event.name === 'caught-up') return { head: event.head };
  if (event.name === 'lost') return { lostBy: event.reason };
  return event.name === 'woken' ? { lostBy: 'reconnecting' } : {};
}

/** Applies a board event or a response. If the link has changed, the tabs learn it after the last request. */
export function takeBoard(before: SourceState, event: BoardEvent | Answer, nowMs: number): Step {
  const after = boardStep(before, event, nowMs);
  if (after.request || event.name === 'unreadable') return after;
  const state = event.name === 'failed' ? after.state : { ...after.state, failedBy: undefined };
  const link = linkOf(state);
  if (link === state.sentLink) return { ...after, state };
  return { ...after, state: { ...state, sentLink: link }, messages: [...after.messages, linkMessage(state)] };
}

function boardStep(state: SourceState, event: BoardEvent | Answer, nowMs: number): Step {
  switch (event.name) {
    case 'started':
      return step(state, { request: boardRequest(state) });
    case 'catch-up':
      return event.connection === state.connection && isConnected(state) ? catchUp(state) : step(state);
    case 'events':
      return withEvents(state, event.events, nowMs);
    case 'removed': {
      const removed = [...state.removed, event.id].slice(-removedMax);
      const messages = [{ kind: 'removed', id: event.id } as const];
      return step({ ...state, removed }, { messages, request: boardRequest(state, false) });
    }
    case 'check':
      if (state.anchor === undefined) return check(state, false, nowMs);
      return step(state, { request: { name: 'anchor', id: state.anchor } });
    case 'anchor':
      return check(state, !event.isInLog, nowMs);
    case 'board':
      return withSnapshot(state, event, nowMs);
    case 'rows':
      return withRequestedRows(state, event, nowMs);
    case 'head':
      return caughtUp(state, event.connection, event.head);
    case 'unreadable':
      return step({ ...state, isStale: true });
    case 'failed':
      return step({ ...state, isStale: true, failedBy: event.reason });
  }
}

/** Catches up after a connection. Needs no snapshot if the stream replays events from a position in the log. */
function catchUp(state: SourceState): Step {
  const { resume, connection, isStale } = state;
  if (resume === 'replay' && !isStale) return step(state, { request: { name: 'head', connection } });
  const request = boardRequest(state, resume !== 'replay');
  return step(state, { request, messages: hasLostRows(resume) ? [{ kind: 'cleared' }] : [] });
}

function withEvents(before: SourceState, arrived: readonly DeploymentEvent[], nowMs: number): Step {
  const events = arrived.filter(({ id }) => !before.removed.includes(id));
  const { position, rowPositions, head, isStale } = before;
  const isKnown = ({ id, service }: DeploymentEvent) => id <= position || id <= (rowPositions.get(service) ?? '');
  // A stale board is about to be replaced by a snapshot that includes these events.
  const fresh = isStale ? [] : events.filter((event) => !isKnown(event));
  const { board, changed, unknown } = boardAfter(before.board, fresh);
  const state = {
    ...withBoard(before, board, changed),
    anchor: before.anchor ?? events[0]?.id,
    sentUpTo: events.at(-1)?.id ?? before.sentUpTo,
    asOf: isStale || unknown.size > 0 ? before.asOf : nowMs,
  };
  const messages: TabMessage[] = [{ kind: 'events', events, rows: changed, head }];
  if (unknown.size === 0) return step(state, { messages });
  if (unknown.size > requestedRowsMax) return step(state, { messages, request: boardRequest(state, false) });
  return step(state, { messages, request: { name: 'rows', services: [...unknown] } });
}

/** Detects changes that the stream doesn't report: a cleared or pruned log, and any change while the stream is down. */
function check(state: SourceState, isCleared: boolean, nowMs: number): Step {
  const { head, connection, anchor, snapshotAt } = state;
  const isDue = nowMs - snapshotAt > snapshotMs;
  if (isDue || isCleared || anchor === undefined || linkOf(state) !== 'live') {
    return step(state, { request: boardRequest(state), messages: isCleared ? [{ kind: 'cleared' }] : [] });
  }
  const isHeadKnown = head !== undefined || !isConnected(state);
  return step({ ...state, asOf: nowMs }, { request: isHeadKnown ? undefined : { name: 'head', connection } });
}

function withSnapshot(before: SourceState, answer: Extract<Answer, { name: 'board' }>, nowMs: number): Step {
  const { snapshot, connection, isJump } = answer;
  const { board = before.board, etag, position } = snapshot;
  const known = { board, etag, position, rowPositions: new Map(), anchor: position || undefined };
  const current = { ...before, ...known, isStale: false, asOf: nowMs, snapshotAt: nowMs };
  const { state, effects } = caughtUp(current, connection, position);
  const changes = snapshot.board ? changesOf(before.board, state) : [];
  const messages = isJump ? [...changes, { kind: 'missed', upTo: position } as const] : changes;
  // While the board isn't live, the tabs show how old it is.
  const isLive = linkOf({ ...state, failedBy: undefined }) === 'live';
  return step(isLive ? state : { ...state, sentLink: undefined }, { effects, messages });
}

function changesOf(before: Board, state: SourceState): TabMessage[] {
  const rows = before === emptyBoard ? undefined : rowsBetween(before, state.board);
  if (!rows) return [boardMessage(state)];
  return rows.length > 0 ? [{ kind: 'events', events: [], rows, head: state.head }] : [];
}

function withRequestedRows(before: SourceState, answer: Extract<Answer, { name: 'rows' }>, nowMs: number): Step {
  const { rows, positions } = answer;
  const state = {
    ...withBoard(before, withRows(before.board, rows), rows),
    rowPositions: new Map([...before.rowPositions, ...positions]),
    asOf: before.isStale ? before.asOf : nowMs,
  };
  return step(state, { messages: [{ kind: 'events', events: [], rows, head: state.head }] });
}

function withBoard(state: SourceState, board: Board, changed: readonly MatrixRow[]): SourceState {
  return { ...state, board, etag: changed.length > 0 ? undefined : state.etag };
}

/** The stream has caught up, unless the request belongs to an earlier connection. */
function caughtUp(state: SourceState, connection: number, head: string): Step {
  return connection === state.connection ? takeStream(state, { name: 'caught-up', head }) : step(state);
}

function boardRequest(state: SourceState, isJump = !isConnected(state)): Request {
  return { name: 'board', etag: state.etag, connection: state.connection, isJump };
}

function isConnected({ phase }: SourceState): boolean {
  return phase === 'opening' || phase === 'open' || phase === 'reopening';
}

export function linkOf({ phase, isStale, lostBy, failedBy }: SourceState): Link {
  if (failedBy !== undefined) return 'away';
  if (!isStale && (phase === 'open' || phase === 'grace' || phase === 'reopening')) return 'live';
  return lostBy === undefined ? 'connecting' : 'polling';
}

export function greetingOf(state: SourceState): TabMessage[] {
  const { asOf, sentUpTo, position } = state;
  return [
    ...(asOf > 0 ? [boardMessage(state)] : []),
    linkMessage(state),
    ...(asOf > 0 ? [{ kind: 'missed', upTo: sentUpTo > position ? sentUpTo : position } as const] : []),
  ];
}

function boardMessage({ board: { environments, rows } }: SourceState): TabMessage {
  return { kind: 'board', json: JSON.stringify({ environments, rows: [...rows.values()] }) };
}

function linkMessage(state: SourceState): TabMessage {
  const { failedBy, lostBy, asOf } = state;
  return { kind: 'link', link: linkOf(state), reason: failedBy ?? lostBy, asOf };
}
