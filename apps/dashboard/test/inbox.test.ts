import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { expect, test, vi } from 'vitest';
import { Inbox } from '../src/live/inbox.ts';
import type { TabMessage } from '../src/live/messages.ts';

const change = (id: string, isFresh = true): TabMessage => ({
  kind: 'events',
  events: [{ id } as DeploymentEvent],
  rows: [{ service: id, slots: {} } as unknown as MatrixRow],
  head: isFresh ? '0' : undefined,
});

const ids = (message: TabMessage) =>
  message.kind === 'events' ? message.events.map(({ id }) => id).join('') : message.kind;

/** A page that shows changes only when told to. */
function page() {
  const applied: string[] = [];
  const frames: (() => void)[] = [];
  const inbox = new Inbox(
    (message) => applied.push(ids(message)),
    () => new Promise((resolve) => frames.push(resolve)),
  );
  const draw = async (tookMs = 0) => {
    await vi.advanceTimersByTimeAsync(tookMs);
    frames.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const take = (...messages: TabMessage[]) => {
    for (const message of messages) inbox.take(message);
  };
  return { applied, draw, take };
}

test('changes that arrive while the page shows others are applied in one step', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { take, applied, draw } = page();
  take(change('a'));
  expect(applied).toEqual(['a']);
  take(change('b'), change('c'));
  expect(applied).toEqual(['a']);
  await draw(30);
  expect(applied, 'the page pauses as long as it worked').toEqual(['a']);
  take(change('d'));
  await vi.advanceTimersByTimeAsync(29);
  expect(applied).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(applied).toEqual(['a', 'bcd']);
  await draw();
  take(change('e'));
  expect(applied, 'an idle page applies a change at once').toEqual(['a', 'bcd', 'e']);
  vi.useRealTimers();
});

test('a slow page pauses for at most a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { take, applied, draw } = page();
  take(change('a'), change('b'));
  await draw(5000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(applied).toEqual(['a', 'b']);
  vi.useRealTimers();
});

test('other messages apply at once and after the changes before them', () => {
  const { take, applied } = page();
  take(change('a'), change('b'), change('c'), { kind: 'cleared' }, change('d'));
  expect(applied).toEqual(['a', 'bc', 'cleared']);
});

test('changes from before and after the page caught up stay apart, because only the later ones are fresh', () => {
  const { take, applied } = page();
  take(change('a'), change('b', false), change('c', false), change('d'), { kind: 'notices-changed' });
  expect(applied).toEqual(['a', 'bc', 'd', 'notices-changed']);
});
