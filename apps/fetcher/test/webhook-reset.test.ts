import { fetcherLimits } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { ToolAway } from '../src/tool/refusals.ts';
import { isOpen, testInbox, turn } from './support/inbox.ts';

describe('§12: during a reset', () => {
  test('deliveries are accepted, and posted when it ends', async () => {
    const { inbox, take, sink } = testInbox();
    await inbox.pause();
    expect([await take('a'), await take('a'), await take('b')]).toEqual(['202 1 0', '202 0 1', '202 1 0']);
    expect([sink.begun, inbox.queue]).toEqual([0, 2]);
    inbox.resume();
    await turn();
    expect(sink.stored).toEqual(['source a', 'source b']);
    expect([await take('a'), inbox.queue]).toEqual(['202 0 1', 0]);
  });

  test('deliveries in progress are interrupted and posted afterwards', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    const answers = [take('a'), take('a')];
    await inbox.pause();
    expect((await Promise.all(answers)).sort()).toEqual(['202 0 1', '202 1 0']);
    sink.release();
    inbox.resume();
    await turn();
    expect(sink.stored).toEqual(['source a']);
  });

  test('the reset starts once no post is in progress, and senders do not wait for its start', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    sink.isDeaf = true;
    const answer = take('a');
    const paused = inbox.pause();
    expect([await answer, await isOpen(paused)]).toEqual(['202 1 0', true]);
    sink.release(new Error('cut'));
    await paused;
    expect(inbox.queue).toBe(1);
  });

  test('deliveries are held again by a second reset', async () => {
    const { inbox, take, sink } = testInbox();
    await inbox.pause();
    await take('a');
    sink.hold();
    inbox.resume();
    await inbox.pause();
    sink.release();
    expect([sink.stored, inbox.queue]).toEqual([[], 1]);
    inbox.resume();
    await turn();
    expect(sink.stored).toEqual(['source a']);
    inbox.resume();
    expect([sink.begun, inbox.queue]).toEqual([2, 0]);
  });

  test('a delivery that fails afterwards is left to polling, or logged and accepted again', async () => {
    const { inbox, take, sink, lines } = testInbox();
    await inbox.pause();
    await take('a');
    await take('b', { accepted: 1, ignored: 0 });
    sink.fail(new ToolAway('no answer'));
    inbox.resume();
    await turn();
    expect(inbox.queue).toBe(0);
    sink.fail(undefined);
    expect([await take('a'), await take('b')]).toEqual(['202 1 0', '202 0 1']);
    expect(lines.filter((line) => line.includes('during a reset was lost'))).toHaveLength(1);
  });

  test('at most a thousand deliveries wait', async () => {
    const { inbox, take } = testInbox();
    await inbox.pause();
    for (let index = 0; index < fetcherLimits.deliveryQueue; index += 1) await take(String(index));
    expect(await take('one more')).toBe('503 later');
  });
});

describe('a stop of the fetcher', () => {
  test('lets deliveries in progress finish and refuses others', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    const answer = take('a');
    const stopped = inbox.stop();
    expect([await take('b'), await isOpen(stopped)]).toEqual(['503 later', true]);
    sink.release();
    expect([await answer, sink.stored]).toEqual(['202 1 0', ['source a']]);
    await stopped;
  });

  test("interrupts a delivery after three seconds, and deliveries that wait for it don't start", async () => {
    const { inbox, take, sink, clock } = testInbox();
    sink.hold();
    const answers = [take('a'), take('a')];
    const stopped = inbox.stop();
    clock.advance(2999);
    expect(await isOpen(stopped)).toBe(true);
    clock.advance(1);
    await stopped;
    expect(await Promise.all(answers)).toEqual(['503 later', '503 later']);
    expect(sink.begun).toBe(1);
  });

  test('does not start the next delivery if the first one fails meanwhile', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    const answers = [take('a'), take('a')];
    const stopped = inbox.stop();
    sink.release(new ToolAway('no answer'));
    await stopped;
    expect([await Promise.all(answers), sink.begun]).toEqual([['503 later', '503 later'], 1]);
  });

  test('logs on stop that it drops deliveries that are waiting for the end of a reset', async () => {
    const { inbox, take, lines } = testInbox();
    await inbox.pause();
    await take('a');
    await inbox.stop();
    inbox.resume();
    expect([inbox.queue, lines.some((line) => line.includes('dropping deliveries'))]).toEqual([1, true]);
  });
});
