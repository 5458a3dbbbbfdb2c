import { PostingDenied } from '@shiplog/client';
import { fetcherLimits } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import type { DeliveryItem } from '../src/webhooks/delivery-item.ts';
import { isOpen, testInbox, told } from './support/inbox.ts';

const waitMs = fetcherLimits.deliveryWaitMs;

describe('§11.6: what comes again', () => {
  test('an id is settled once for each webhook; without an id all is new', async () => {
    const { take, sink } = testInbox();
    expect(await take('a')).toBe('202 1 0');
    expect(await take('a')).toBe('202 0 1');
    expect(await take('b')).toBe('202 1 0');
    expect(await take('a', undefined, 'another hook')).toBe('202 1 0');
    expect([await take(), await take()]).toEqual(['202 1 0', '202 1 0']);
    expect(sink.stored).toEqual(['source a', 'source b', 'source a', 'source none', 'source none']);
  });

  test('the last ten thousand are known', async () => {
    const { inbox, item, sink } = testInbox();
    for (let index = 0; index <= fetcherLimits.deliveriesRemembered; index += 1) {
      await inbox.take('hook', [item(String(index))]);
    }
    sink.stored.length = 0;
    await inbox.take('hook', [item('1'), item(String(fetcherLimits.deliveriesRemembered)), item('0')]);
    expect(sink.stored).toEqual(['source 0']);
  });

  test('one that comes while the first is under way waits for it, and is not posted', async () => {
    const { take, sink } = testInbox();
    sink.hold();
    const [first, second] = [take('a'), take('a')];
    expect(await isOpen(second)).toBe(true);
    sink.release();
    expect([await first, await second]).toEqual(['202 1 0', '202 0 1']);
    expect(sink.stored).toEqual(['source a']);
  });

  test('where the first fails, one of those that wait for it tries itself', async () => {
    const { take, sink } = testInbox();
    sink.hold();
    const all = [take('a'), take('a'), take('a')];
    sink.release(new ToolAway('no answer'));
    expect(await Promise.all(all)).toEqual(['503 later', '202 1 0', '202 0 1']);
    expect(sink.begun).toBe(2);
  });

  test('of a batch, what was settled is known though the rest has to come again', async () => {
    const { inbox, item, sink } = testInbox();
    const bad: DeliveryItem = { ...item('bad'), settle: () => Promise.reject(new ToolAway('no answer')) };
    expect(await told(inbox.take('hook', [item('a'), bad, item('a')]))).toBe('503 later');
    expect(await told(inbox.take('hook', [item('a'), item('bad')]))).toBe('202 1 1');
    expect(sink.stored).toEqual(['source a', 'source bad']);
  });

  test('an empty batch is taken', async () => {
    const { inbox } = testInbox();
    expect(await told(inbox.take('hook', []))).toBe('202 0 0');
  });
});

describe('§11.5: eight seconds', () => {
  test('without polling the sender has to come again; its posts are ended and it is not known', async () => {
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

  test('what is polled is left to polling, and known', async () => {
    const { clock, take, sink } = testInbox();
    sink.hold();
    const answer = take('a', { accepted: 1, ignored: 0 });
    clock.advance(waitMs);
    expect(await answer).toBe('202 1 0');
    sink.release();
    expect([await take('a'), sink.stored]).toEqual(['202 0 1', []]);
  });

  test('a post that is on its way is not doubled by what comes again meanwhile', async () => {
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

  test('who waits for another waits no longer than for itself', async () => {
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

  test('no timer is left behind', async () => {
    const { clock, take } = testInbox();
    await take('a');
    expect(clock.sleeping).toEqual([]);
  });
});

describe('§11.5: what fails', () => {
  test.each<[string, Error]>([
    ['the token', new AuthFailed('401')],
    ['the quota', new SourcePaused('used up', 1)],
    ['the repository', new PlaceRefused('404', 404)],
    ['the tool', new ToolAway('500')],
    ['the API key', new PostingDenied('401')],
  ])('%s: the sender has to come again unless polling finds it', async (_, error) => {
    const { take, sink } = testInbox();
    sink.fail(error);
    expect([await take('a'), await take('b', { accepted: 1, ignored: 0 })]).toEqual(['503 later', '202 1 0']);
    sink.fail(undefined);
    expect([await take('a'), await take('b')]).toEqual(['202 1 0', '202 0 1']);
  });

  test('an error of our own is no matter of the sender', async () => {
    const { take, sink } = testInbox();
    sink.fail(new TypeError('a mistake'));
    await expect(take('a', { accepted: 1, ignored: 0 })).rejects.toThrow('a mistake');
    sink.fail(undefined);
    expect(await take('a')).toBe('202 1 0');
  });

  test('a thousand are under way at most', async () => {
    const { inbox, take, sink } = testInbox();
    sink.hold();
    const all = Array.from({ length: fetcherLimits.deliveryQueue }, (_, index) => take(String(index)));
    expect([await take('one more'), inbox.refusal?.status]).toEqual(['503 later', 503]);
    sink.release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['202 1 0']));
    expect([await take('one more'), inbox.refusal]).toEqual(['202 1 0', undefined]);
  });
});
