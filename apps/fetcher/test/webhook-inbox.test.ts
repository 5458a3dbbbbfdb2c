import { PostingDenied } from '@shiplog/client';
import { fetcherLimits } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import type { DeliveryItem } from '../src/webhooks/delivery-item.ts';
import { isOpen, testInbox, told } from './support/inbox.ts';

const waitMs = fetcherLimits.deliveryWaitMs;

describe('§11.6: a repeated delivery', () => {
  test('is settled once per webhook and id; without an id every delivery is new', async () => {
    const { take, sink } = testInbox();
    expect(await take('a')).toBe('202 1 0');
    expect(await take('a')).toBe('202 0 1');
    expect(await take('b')).toBe('202 1 0');
    expect(await take('a', undefined, 'another hook')).toBe('202 1 0');
    expect([await take(), await take()]).toEqual(['202 1 0', '202 1 0']);
    expect(sink.stored).toEqual(['source a', 'source b', 'source a', 'source none', 'source none']);
  });

  test('is recognized if it is among the last ten thousand', async () => {
    const { inbox, item, sink } = testInbox();
    for (let index = 0; index <= fetcherLimits.deliveriesRemembered; index += 1) {
      await inbox.take('hook', [item(String(index))]);
    }
    sink.stored.length = 0;
    await inbox.take('hook', [item('1'), item(String(fetcherLimits.deliveriesRemembered)), item('0')]);
    expect(sink.stored).toEqual(['source 0']);
  });

  test('waits for the first one if it is still in progress, and is not posted', async () => {
    const { take, sink } = testInbox();
    sink.hold();
    const [first, second] = [take('a'), take('a')];
    expect(await isOpen(second)).toBe(true);
    sink.release();
    expect([await first, await second]).toEqual(['202 1 0', '202 0 1']);
    expect(sink.stored).toEqual(['source a']);
  });

  test('tries again if the first one fails', async () => {
    const { take, sink } = testInbox();
    sink.hold();
    const all = [take('a'), take('a'), take('a')];
    sink.release(new ToolAway('no answer'));
    expect(await Promise.all(all)).toEqual(['503 later', '202 1 0', '202 0 1']);
    expect(sink.begun).toBe(2);
  });

  test('skips settled events of a batch although the others must be redelivered', async () => {
    const { inbox, item, sink } = testInbox();
    const bad: DeliveryItem = { ...item('bad'), settle: () => Promise.reject(new ToolAway('no answer')) };
    expect(await told(inbox.take('hook', [item('a'), bad, item('a')]))).toBe('503 later');
    expect(await told(inbox.take('hook', [item('a'), item('bad')]))).toBe('202 1 1');
    expect(sink.stored).toEqual(['source a', 'source bad']);
  });

  test('an empty batch is accepted', async () => {
    const { inbox } = testInbox();
    expect(await told(inbox.take('hook', []))).toBe('202 0 0');
  });
});

describe('§11.5: after eight seconds', () => {
  test('without polling the sender must redeliver; the posts are aborted and the delivery is not remembered', async () => {
    const { clock, take, sink } = testInbox();
    sink.hold();
    const answer = take('a');
    clock.advance(waitMs - 1);
    expect(await isOpen(answer)).toBe(true);
    clock.advance(1);
    expect(await answer).toBe('503 later');
    sink.release();
    expect([await take('a'), sink.stored]).toEqual(['202 1 0', ['source a']]);
  });

  test('a polled source leaves the delivery to polling and remembers it', async () => {
    const { clock, take, sink } = testInbox();
    sink.hold();
    const answer = take('a', { accepted: 1, ignored: 0 });
    clock.advance(waitMs);
    expect(await answer).toBe('202 1 0');
    sink.release();
    expect([await take('a'), sink.stored]).toEqual(['202 0 1', []]);
  });

  test('a redelivery does not duplicate a post in progress', async () => {
    const { clock, take, sink, inbox } = testInbox();
    sink.hold();
    sink.isDeaf = true;
    const first = take('a');
    clock.advance(waitMs);
    expect(await first).toBe('503 later');
    const second = take('a');
    expect([await isOpen(second), sink.begun, inbox.queue]).toEqual([true, 1, 1]);
    sink.release();
    expect([await second, sink.begun, inbox.queue]).toEqual(['202 0 1', 1, 0]);
  });

  test('the wait for the same delivery in progress also ends', async () => {
    const { clock, take, sink } = testInbox();
    sink.hold();
    sink.isDeaf = true;
    const first = take('a');
    clock.advance(waitMs / 2);
    const second = take('a');
    clock.advance(waitMs / 2);
    expect([await first, await isOpen(second)]).toEqual(['503 later', true]);
    clock.advance(waitMs / 2);
    expect([await second, sink.begun]).toEqual(['503 later', 1]);
  });

  test('no timer remains after a delivery', async () => {
    const { clock, take } = testInbox();
    await take('a');
    expect(clock.sleeping).toEqual([]);
  });
});

describe('§11.5: a failure while a delivery is settled', () => {
  test.each<[string, Error]>([
    ['the token', new AuthFailed('401')],
    ['the quota', new SourcePaused('used up', 1)],
    ['the repository', new PlaceRefused('404', 404)],
    ['the tool', new ToolAway('500')],
    ['the API key', new PostingDenied('401')],
  ])('of %s makes the sender redeliver, unless polling finds the changes', async (_, error) => {
    const { take, sink } = testInbox();
    sink.fail(error);
    expect([await take('a'), await take('b', { accepted: 1, ignored: 0 })]).toEqual(['503 later', '202 1 0']);
    sink.fail(undefined);
    expect([await take('a'), await take('b')]).toEqual(['202 1 0', '202 0 1']);
  });

  test('inside the fetcher is not reported to the sender', async () => {
    const { take, sink } = testInbox();
    sink.fail(new TypeError('a mistake'));
    await expect(take('a', { accepted: 1, ignored: 0 })).rejects.toThrow('a mistake');
    sink.fail(undefined);
    expect(await take('a')).toBe('202 1 0');
  });

  test('at most a thousand deliveries are in progress', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    const all = Array.from({ length: fetcherLimits.deliveryQueue }, (_, index) => take(String(index)));
    expect([await take('one more'), inbox.refusal?.status]).toEqual(['503 later', 503]);
    sink.release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['202 1 0']));
    expect([await take('one more'), inbox.refusal]).toEqual(['202 1 0', undefined]);
  });
});
