import { clientOf, minute, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { reportIn } from '../src/live/source.ts';
import { initialState, takeBoard } from '../src/live/source-state.ts';
import { anEvent } from './support/an-event.ts';
import { isLive, matrix, post, watch } from './support/source.ts';

test('a removed event disappears from the board at once, and what it hid reappears', async () => {
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const remove = (id: string) => clientOf(url).removeDeployment({ params: { id }, body: { reason: 'false' } });
  await post(url, { version: '1', happened_at: minute(1) });
  const removed = await post(url, { version: '2', happened_at: '9999-01-01T00:00:00Z' });
  // Only the removal report can cause this: the board is not checked during the test.
  const { tab } = watch(url, { times: { checkMs: 3_600_000 } });
  await tab.until(isLive(tab));
  await tab.until(() => tab.current('payments-api', 'staging') === '2');
  // The component stream may open after the deployment stream, and the first board may already lack the removed event.
  while (tab.removed.length === 0) {
    const other = await post(url, { service: 'other' });
    // An event that is removed before it is streamed is never streamed.
    await tab.until(() => tab.ids.includes(other));
    await remove(other);
    const next = await post(url, { service: 'other' });
    await Promise.race([tab.until(() => tab.removed.includes(other)), tab.until(() => tab.ids.includes(next))]);
  }
  await remove(removed);
  await tab.until(() => tab.current('payments-api', 'staging') === '1');
  expect(tab.board).toEqual(await matrix(url));
});

test('an event that is removed before it is applied is not shown', () => {
  const event = anEvent({});
  const live = { ...initialState, isStale: false };
  const removed = takeBoard(live, { name: 'removed', id: event.id }, 0);
  expect(removed).toMatchObject({ messages: [{ kind: 'removed', id: event.id }], request: { name: 'board' } });
  const after = takeBoard(removed.state, { name: 'events', events: [event] }, 0);
  expect(after.state.board.rows.size).toBe(0);
});

test.each([
  ['another component', { component_id: 'fetcher', event_type: 'event-removed', payload: { id: 'x' } }],
  ['another report', { component_id: 'shiplog', event_type: 'status', payload: { id: 'x' } }],
  ['no payload', { component_id: 'shiplog', event_type: 'event-removed' }],
  ["an id that isn't a string", { component_id: 'shiplog', event_type: 'event-removed', payload: { id: 7 } }],
])('a report with %s removes nothing', (_, report) => {
  expect(reportIn(JSON.stringify(report))).toBeUndefined();
});
