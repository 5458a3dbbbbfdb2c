import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noFacts } from '../src/board/facts.ts';
import { futureRowsIn, noFutureRows } from '../src/board/future-rows.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const at = (id: string, minute: number, status: DeploymentEvent['status'] = 'success') =>
  anEvent({ id, status, happened_at: new Date(nowMs + minute * 60_000).toISOString() });
const board = boardOf({
  environments: ['dev', 'prod', 'qa'],
  rows: [
    { service: 'one', slots: { dev: { current: at('1', 180) }, prod: { current: at('2', 1) } } },
    { service: 'two', slots: { qa: { current: at('3', -5), next: at('4', 60, 'queued') } } },
    { service: 'three', slots: {}, upcoming: { qa: at('5', 60, 'queued') } },
  ],
});

test('an event dated beyond the clock tolerance is in the future until its time is reached', () => {
  const ahead = (ms: number) => [...futureRowsIn(board, noFacts, ms, noFutureRows).keys()];
  expect(ahead(nowMs)).toEqual(['["one","dev"]']);
  expect(ahead(nowMs - 60_000)).toEqual(['["one","dev"]', '["one","prod"]']);
  expect(ahead(nowMs + 180 * 60_000)).toEqual([]);
});

test('the hidden event is that of the facts, unless another event has hidden it since', () => {
  const hiding = (id: string) =>
    someFacts([{ service: 'one', environment: 'dev', hidden: { event: at(id, -5, 'failure') } }]);
  const hidden = futureRowsIn(board, hiding('6'), nowMs, noFutureRows);
  expect([...hidden.values()].map((row) => row.hidden?.id)).toEqual(['6']);
  expect(futureRowsIn(board, hiding('6'), nowMs + 1000, hidden)).toBe(hidden);
  expect([...futureRowsIn(board, hiding('0'), nowMs, hidden).values()]).toEqual([{ hidden: undefined }]);
});
