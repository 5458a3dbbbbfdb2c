import type { DeliveryAnswer } from '@shiplog/companions';
import { Problem } from '@shiplog/server';
import { TestClock, testLogger } from '@shiplog/testing';
import type { DeliveryItem } from '../../src/webhooks/delivery-item.ts';
import { Inbox } from '../../src/webhooks/inbox.ts';
import { TestSink } from './webhooks.ts';

export function testInbox() {
  const clock = new TestClock();
  const sink = new TestSink();
  const lines: string[] = [];
  const inbox = new Inbox(clock, testLogger({ write: (line) => void lines.push(line) }));
  /** An item with an id. If `left` is set, the item can be left to polling. */
  const item = (id: string | undefined, left?: DeliveryAnswer): DeliveryItem => ({
    id,
    expected: { accepted: 1, ignored: 0 },
    async settle(signal) {
      await sink.postChanges('source', [{ id: id ?? 'none' } as never], signal);
      return { accepted: 1, ignored: 0 };
    },
    ...(left && { leaveToPolling: () => left }),
  });
  const take = (id?: string, left?: DeliveryAnswer, hook = 'hook') => told(inbox.take(hook, [item(id, left)]));
  return { clock, sink, inbox, lines, item, take };
}

/** The response to the sender. */
export async function told(answer: Promise<DeliveryAnswer>): Promise<string> {
  try {
    const { accepted, ignored } = await answer;
    return `202 ${accepted} ${ignored}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.status} ${error.options.headers?.['Retry-After'] === undefined ? '' : 'later'}`.trim();
  }
}

/** Whether a promise is still pending after everything else has run. */
export async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  void promise.finally(() => {
    open = false;
  });
  await turn();
  return open;
}

/** Lets pending work run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
