import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import type { Answer, Request } from '../src/live/source-client.ts';
import {
  type BoardEvent,
  greetingOf,
  initialState,
  linkOf,
  type SourceState,
  takeBoard,
  takeStream,
} from '../src/live/source-state.ts';
import { type Effect, type Phase, type StreamEvent, streamTable } from '../src/live/stream-table.ts';
import { anEvent } from './support/an-event.ts';

type Row = [phase: Phase, event: StreamEvent['name'], becomes: Phase | 'ignored', ...effects: Effect[]];

const phases = Object.keys(streamTable) as Phase[];
const rows: Row[] = [
  ...phases.map((phase): Row => [phase, 'woken', 'down', 'reconnect', 'send-link']),
  ['down', 'opened', 'opening', 'catch-up'],
  ['down', 'caught-up', 'ignored'],
  ['down', 'lost', 'down', 'send-link'],
  ['down', 'grace-over', 'ignored'],
  ['opening', 'opened', 'opening', 'catch-up'],
  ['opening', 'caught-up', 'open'],
  ['opening', 'lost', 'down', 'send-link'],
  ['opening', 'grace-over', 'ignored'],
  ['open', 'opened', 'opening', 'catch-up'],
  ['open', 'caught-up', 'ignored'],
  ['open', 'lost', 'grace', 'begin-grace'],
  ['open', 'grace-over', 'ignored'],
  ['grace', 'opened', 'reopening', 'catch-up'],
  ['grace', 'caught-up', 'ignored'],
  ['grace', 'lost', 'grace'],
  ['grace', 'grace-over', 'down', 'send-link'],
  ['reopening', 'opened', 'reopening', 'catch-up'],
  ['reopening', 'caught-up', 'open'],
  ['reopening', 'lost', 'grace'],
  ['reopening', 'grace-over', 'opening', 'send-link'],
];

describe('the connection to the stream', () => {
  test.each(rows)('in the phase %s, the event "%s" has the expected effects', (phase, event, becomes, ...effects) => {
    const transition = streamTable[phase][event];
    if (transition === 'ignored') expect([transition]).toEqual([becomes, ...effects]);
    else expect([transition.next, ...transition.effects]).toEqual([becomes, ...effects]);
  });

  test('the transition table has no other phases or events', () => {
    const pairs = phases.flatMap((phase) => Object.keys(streamTable[phase]).map((event) => `${phase} ${event}`));
    expect(rows.map(([phase, event]) => `${phase} ${event}`).toSorted()).toEqual(pairs.toSorted());
  });
});

const nowMs = 1_000_000;
const event = anEvent();
const board = boardOf({
  environments: ['staging'],
  rows: [{ service: event.service, slots: { staging: { current: event } } }],
});
/** A live state with one slot. */
const live: SourceState = {
  ...initialState,
  ...{ phase: 'open', connection: 1, resume: 'replay', head: '0', board, isStale: false },
  ...{ asOf: nowMs, snapshotAt: nowMs, etag: 'W/"1"', position: event.id, anchor: event.id, sentLink: 'live' },
};
const opening: SourceState = { ...live, phase: 'opening', head: undefined, lostBy: 'cut', sentLink: 'polling' };
const away: SourceState = { ...live, failedBy: 'no answer in time', sentLink: 'away' };
const later = { ...event, id: `${event.id}-2`, happened_at: '2026-05-04T09:13:02Z' };
const late = { ...event, id: `${event.id}-3`, happened_at: '2026-05-04T09:11:02Z' };
const snapshot = { board, etag: 'W/"2"', position: '9' };

/** The request, the messages and the link after a step. */
function outcome(state: SourceState, given: BoardEvent | Answer) {
  const after = takeBoard(state, given, nowMs);
  const asks = after.request && ('isJump' in after.request && after.request.isJump ? 'jump' : after.request.name);
  return [asks, after.messages.map(({ kind }) => kind).join(' '), linkOf(after.state)];
}

type Case = [
  name: string,
  state: SourceState,
  given: BoardEvent | Answer,
  asks: string | undefined,
  messages: string,
  link: string,
];
const answer = (request: Partial<Extract<Request, { name: 'board' }>> = {}): Answer => ({
  ...{ name: 'board', connection: 1, isJump: false, snapshot },
  ...request,
});
const catchUp = { name: 'catch-up', connection: 1 } as const;
const gone = { name: 'anchor', isInLog: false } as const;
const isThere = { name: 'anchor', isInLog: true } as const;

test.each<Case>([
  ['begins with a snapshot', initialState, { name: 'started' }, 'jump', '', 'connecting'],
  ['requests the head if the stream replays', opening, catchUp, 'head', '', 'polling'],
  ['requests a snapshot if the board is stale', { ...opening, isStale: true }, catchUp, 'board', '', 'polling'],
  ['jumps if the stream is only live', { ...opening, resume: 'live' }, catchUp, 'jump', '', 'polling'],
  ['clears if the stream is truncated', { ...opening, resume: 'truncated' }, catchUp, 'jump', 'cleared', 'polling'],
  ['ignores a lost connection', { ...opening, phase: 'down' }, catchUp, undefined, '', 'polling'],
  ['ignores an earlier connection', { ...opening, connection: 2 }, catchUp, undefined, '', 'polling'],
  ['sends arriving events', live, { name: 'events', events: [later] }, undefined, 'events', 'live'],
  ['requests the row of a late event', running(live), { name: 'events', events: [late] }, 'rows', 'events', 'live'],
  [
    'requests the board if many rows are unknown',
    many(),
    { name: 'events', events: lateOnes() },
    'board',
    'events',
    'live',
  ],
  ['requests the newest known event', live, { name: 'check' }, 'anchor', '', 'live'],
  ['requests the board if it knows no event', { ...live, anchor: undefined }, { name: 'check' }, 'board', '', 'live'],
  ['does nothing if the known event is in the log', live, isThere, undefined, '', 'live'],
  ['clears the board if the known event is gone', live, gone, 'board', 'cleared', 'live'],
  ['requests a snapshot each hour', { ...live, snapshotAt: nowMs - 3_600_001 }, isThere, 'board', '', 'live'],
  ['jumps while the stream is down', { ...opening, phase: 'down' }, isThere, 'jump', '', 'polling'],
  ['requests the head if it is unknown', { ...live, phase: 'reopening', head: undefined }, isThere, 'head', '', 'live'],
  ['is live after a snapshot for its connection', opening, answer(), undefined, 'link', 'live'],
  [
    'is not live after a snapshot for an earlier connection',
    opening,
    answer({ connection: 0 }),
    undefined,
    'link',
    'polling',
  ],
  ['reports the position of a jump', opening, answer({ isJump: true }), undefined, 'missed link', 'live'],
  [
    'is live after the head for its connection',
    opening,
    { name: 'head', connection: 1, head: '9' },
    undefined,
    'link',
    'live',
  ],
  [
    'is not live after the head for an earlier connection',
    opening,
    { name: 'head', connection: 0, head: '9' },
    undefined,
    '',
    'polling',
  ],
  ['sends rows', live, { name: 'rows', rows: [], positions: new Map() }, undefined, 'events', 'live'],
  ['is away after a failed request', live, { name: 'failed', reason: 'no answer in time' }, undefined, 'link', 'away'],
  ['requests the board while it is away', away, isThere, 'board', '', 'away'],
  ['is live again after a snapshot', away, answer(), undefined, 'link', 'live'],
  ['is not live after an unreadable frame', live, { name: 'unreadable' }, undefined, '', 'connecting'],
])('the board source %s', (_, state, given, asks, messages, link) => {
  expect(outcome(state, given)).toEqual([asks, messages, link]);
});

const streamEvents: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.constantFrom('replay', 'truncated', null).map((resume) => ({ name: 'opened' as const, resume })),
  fc.constantFrom<StreamEvent>(
    { name: 'caught-up', head: '5' },
    { name: 'lost', reason: 'cut' },
    { name: 'grace-over' },
    { name: 'woken' },
  ),
);

test('whatever happens to the stream, the head is known only in the phase open, and tabs get the actual state of the link', () => {
  fc.assert(
    fc.property(fc.array(streamEvents), (events) => {
      let state = initialState;
      for (const each of events) {
        const after = takeStream(state, each);
        expect(after.state.head !== undefined).toBe(after.state.phase === 'open');
        for (const message of after.messages)
          expect(message).toMatchObject({ kind: 'link', link: linkOf(after.state) });
        state = after.state;
      }
    }),
  );
});

test('a new tab gets the board, the link and the position after which it may have missed events', () => {
  expect(greetingOf(initialState).map(({ kind }) => kind)).toEqual(['link']);
  const told = greetingOf({ ...live, sentUpTo: later.id });
  expect(told.map(({ kind }) => kind)).toEqual(['board', 'link', 'missed']);
  expect(told.at(-1)).toEqual({ kind: 'missed', upTo: later.id });
});

function running(state: SourceState): SourceState {
  const slots = { staging: { current: { ...event, status: 'in-progress' as const } } };
  return { ...state, board: boardOf({ environments: ['staging'], rows: [{ service: event.service, slots }] }) };
}

/** A state with this many late events, all of unknown services. */
function many(): SourceState {
  const all = Array.from({ length: 9 }, (_, index) => ({
    service: `${index}`,
    slots: { staging: { current: event } },
  }));
  return { ...live, board: boardOf({ environments: ['staging'], rows: all }) };
}

function lateOnes() {
  return Array.from({ length: 9 }, (_, index) => ({ ...late, service: `${index}` }));
}

test("a tab gets exactly the source's board, whatever names it has", () => {
  const names = ['<img src=x>', '__proto__', 'constructor', '\u202eevil', '\ud800'];
  const slots = Object.fromEntries(names.map((name) => [name, { current: anEvent({ environment: name }) }]));
  const board = boardOf({ environments: names, rows: names.map((service) => ({ service, slots })) });
  const [sent] = greetingOf({ ...initialState, board, asOf: 1 });
  expect(sent?.kind === 'board' && boardOf(JSON.parse(sent.json))).toEqual(board);
});
