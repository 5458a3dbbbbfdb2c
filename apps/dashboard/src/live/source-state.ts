import { type DeploymentEvent, hasLostRows, type MatrixRow } from '@shiplog/contract';
import { type Board, boardAfter, emptyBoard, rowsBetween, withRows } from '../board/board.ts';
import type { Link, News } from './messages.ts';
import type { Answer, Request } from './requests.ts';
import { snapshotMs } from './source-times.ts';
import { type Effect, type Phase, type StreamEvent, streamTable } from './stream-table.ts';

/** Removed events whose frames may still wait for their step. */
const removedMax = 100;
/** Up to so many rows are asked for one by one; for more of them the whole board is. */
const askedRowsMax = 8;

/**
 * What changes the board, and what each event asks the service. Events are taken one at a time: the next one waits until
 * all requests of the one before are answered, so that a snapshot never overtakes an event.
 *
 * ```
 *   started ─────────────────────────────────► board
 *   catch-up ─── replay, and not stale ──────► head ───► the stream has caught up
 *        └────── anything else ──────────────► board ──► the stream has caught up
 *   events ───── a late one, of few services ► rows
 *        └────── of many ────────────────────► board
 *   check ──► anchor ── in the log, and live ► head, where it is not known
 *                 └──── anything else ───────► board
 *   removed ─────────────────────────────────► board
 *   ladder-due ──────────────────────────────► ladder
 * ```
 *
 * Whatever fails leaves the board stale, and only a snapshot ends that: the board is called live only while it is known
 * to be right.
 */
export type BoardEvent =
  | { readonly name: 'started' }
  /** A connection was opened. */
  | { readonly name: 'catch-up'; readonly connection: number }
  /** From the stream, in the order of the log. */
  | { readonly name: 'events'; readonly events: readonly DeploymentEvent[] }
  /** It is time to check whether the board is still that of the service. */
  | { readonly name: 'check' }
  | { readonly name: 'removed'; readonly id: string }
  | { readonly name: 'ladder-due' }
  /** A frame cannot be read, so it may have changed anything. This event alone is taken at once. */
  | { readonly name: 'unreadable' };

export type SourceState = Readonly<typeof initialState>;

export const initialState = {
  phase: 'down' as Phase,
  /** Counts connections: an answer to a request of an earlier connection says nothing about the stream. */
  connection: 0,
  /** How the connection began (`X-Stream-Resume`). */
  resume: null as string | null,
  /** The end of the log when the connection had caught up; defined in the phase `open` only. */
  head: undefined as string | undefined,
  /** Why the stream was lost, and why the last request failed. */
  lostBy: undefined as string | undefined,
  failedBy: undefined as string | undefined,
  board: emptyBoard,
  ladder: undefined as readonly string[] | undefined,
  /** The board may lack something. */
  isStale: true,
  /** When the board was last known to be the service's; 0 = never. */
  asOf: 0,
  snapshotAt: 0,
  /** The ETag of the board, until an event changes it. */
  etag: undefined as string | undefined,
  /** The board has everything up to this event, and of some services up to a later one. */
  position: '',
  rowPositions: new Map<string, string>() as ReadonlyMap<string, string>,
  /** An event of the log: when it is gone, the log has been cleared. */
  anchor: undefined as string | undefined,
  /** The last events that were removed from the log. */
  removed: [] as readonly string[],
  /** The last event that the tabs were told. */
  toldUpTo: '',
  toldLink: undefined as Link | undefined,
};

export interface Step {
  readonly state: SourceState;
  readonly effects: readonly Effect[];
  /** For every tab. */
  readonly news: readonly News[];
  readonly request: Request | undefined;
}

function step(state: SourceState, { effects = [], news = [], request }: Partial<Omit<Step, 'state'>> = {}): Step {
  return { state, effects, news, request };
}

/** Takes an event of the stream, by the table. */
export function takeStream(before: SourceState, event: StreamEvent): Step {
  const transition = streamTable[before.phase][event.name];
  if (transition === 'ignored') return step(before);
  const { next, effects } = transition;
  const state = { ...before, phase: next, head: undefined, ...saidBy(event, before) };
  if (!effects.includes('tell-link')) return step(state, { effects });
  return step({ ...state, toldLink: linkOf(state) }, { effects, news: [linkNews(state)] });
}

function saidBy(event: StreamEvent, { connection }: SourceState): Partial<SourceState> {
  if (event.name === 'opened') return { connection: connection + 1, resume: event.resume };
  if (event.name === 'caught-up') return { head: event.head };
  if (event.name === 'lost') return { lostBy: event.reason };
  return event.name === 'woken' ? { lostBy: 'connecting anew' } : {};
}

/** Takes an event of the board, or an answer. If nothing more is to be asked, the tabs are told of a changed link. */
export function takeBoard(before: SourceState, event: BoardEvent | Answer, nowMs: number): Step {
  const after = boardStep(before, event, nowMs);
  if (after.request || event.name === 'unreadable') return after;
  const state = event.name === 'failed' ? after.state : { ...after.state, failedBy: undefined };
  const link = linkOf(state);
  if (link === state.toldLink) return { ...after, state };
  return { ...after, state: { ...state, toldLink: link }, news: [...after.news, linkNews(state)] };
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
      const news = [{ kind: 'removed', id: event.id } as const];
      return step({ ...state, removed }, { news, request: boardRequest(state, false) });
    }
    case 'check':
      if (state.anchor === undefined) return check(state, false, nowMs);
      return step(state, { request: { name: 'anchor', id: state.anchor } });
    case 'anchor':
      return check(state, !event.isInLog, nowMs);
    case 'board':
      return withSnapshot(state, event, nowMs);
    case 'rows':
      return withAskedRows(state, event, nowMs);
    case 'head':
      return caughtUp(state, event.connection, event.head);
    case 'ladder-due':
      return step(state, { request: { name: 'ladder' } });
    case 'ladder':
      return step({ ...state, ladder: event.ladder }, { news: [{ kind: 'ladder', ladder: event.ladder }] });
    case 'unreadable':
      return step({ ...state, isStale: true });
    case 'failed':
      return step({ ...state, isStale: true, failedBy: event.reason });
  }
}

/** A stream that replays from a position of the log needs no snapshot; any other does. */
function catchUp(state: SourceState): Step {
  const { resume, connection, isStale } = state;
  if (resume === 'replay' && !isStale) return step(state, { request: { name: 'head', connection } });
  const request = boardRequest(state, resume !== 'replay');
  return step(state, { request, news: hasLostRows(resume) ? [{ kind: 'cleared' }] : [] });
}

function withEvents(before: SourceState, arrived: readonly DeploymentEvent[], nowMs: number): Step {
  const events = arrived.filter(({ id }) => !before.removed.includes(id));
  const { position, rowPositions, head, isStale } = before;
  const isKnown = ({ id, service }: DeploymentEvent) => id <= position || id <= (rowPositions.get(service) ?? '');
  // A stale board will be replaced by a snapshot that has all of these.
  const fresh = isStale ? [] : events.filter((event) => !isKnown(event));
  const { board, changed, unknown } = boardAfter(before.board, fresh);
  const state = {
    ...withBoard(before, board, changed),
    anchor: before.anchor ?? events[0]?.id,
    toldUpTo: events.at(-1)?.id ?? before.toldUpTo,
    asOf: isStale || unknown.size > 0 ? before.asOf : nowMs,
  };
  const news: News[] = [{ kind: 'events', events, rows: changed, head }];
  if (unknown.size === 0) return step(state, { news });
  if (unknown.size > askedRowsMax) return step(state, { news, request: boardRequest(state, false) });
  return step(state, { news, request: { name: 'rows', services: [...unknown] } });
}

/** No frame tells that the log was cleared or pruned, and a stream that is down tells nothing. */
function check(state: SourceState, isCleared: boolean, nowMs: number): Step {
  const { head, connection, anchor, snapshotAt } = state;
  const isDue = nowMs - snapshotAt > snapshotMs;
  if (isDue || isCleared || anchor === undefined || linkOf(state) !== 'live') {
    return step(state, { request: boardRequest(state), news: isCleared ? [{ kind: 'cleared' }] : [] });
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
  const news = isJump ? [...changes, { kind: 'missed', upTo: position } as const] : changes;
  // While the board is not live, the tabs are told how old it is.
  const isLive = linkOf({ ...state, failedBy: undefined }) === 'live';
  return step(isLive ? state : { ...state, toldLink: undefined }, { effects, news });
}

function changesOf(before: Board, state: SourceState): News[] {
  const rows = before === emptyBoard ? undefined : rowsBetween(before, state.board);
  if (!rows) return [boardNews(state)];
  return rows.length > 0 ? [{ kind: 'events', events: [], rows, head: state.head }] : [];
}

function withAskedRows(before: SourceState, answer: Extract<Answer, { name: 'rows' }>, nowMs: number): Step {
  const { rows, positions } = answer;
  const state = {
    ...withBoard(before, withRows(before.board, rows), rows),
    rowPositions: new Map([...before.rowPositions, ...positions]),
    asOf: before.isStale ? before.asOf : nowMs,
  };
  return step(state, { news: [{ kind: 'events', events: [], rows, head: state.head }] });
}

function withBoard(state: SourceState, board: Board, changed: readonly MatrixRow[]): SourceState {
  return { ...state, board, etag: changed.length > 0 ? undefined : state.etag };
}

/** The stream has caught up, unless the request was made during an earlier connection. */
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

/** What a new tab is told. */
export function greetingOf(state: SourceState): News[] {
  const { ladder, asOf, toldUpTo, position } = state;
  return [
    ...(ladder ? [{ kind: 'ladder', ladder } as const] : []),
    ...(asOf > 0 ? [boardNews(state)] : []),
    linkNews(state),
    ...(asOf > 0 ? [{ kind: 'missed', upTo: toldUpTo > position ? toldUpTo : position } as const] : []),
  ];
}

function boardNews({ board: { environments, rows } }: SourceState): News {
  return { kind: 'board', environments, rows: [...rows.values()] };
}

function linkNews(state: SourceState): News {
  const { failedBy, lostBy, asOf } = state;
  return { kind: 'link', link: linkOf(state), reason: failedBy ?? lostBy, asOf };
}
