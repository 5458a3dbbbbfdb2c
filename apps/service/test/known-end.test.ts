import pino from 'pino';
import { expect, test } from 'vitest';
import type { Queries } from '../src/db/database.ts';
import { KnownEnd } from '../src/known-end.ts';
import { ServiceMetrics } from '../src/metrics.ts';

interface Asked {
  readonly id: unknown;
  readonly isThere: () => void;
  /** Stands for a log that has no rows after an earlier id. */
  readonly isGone: (from: string) => void;
  readonly fails: () => void;
}

/** An instance's known end, and the ids that it looks up. The test provides the result of each lookup. */
function knownEnd() {
  const asked: Asked[] = [];
  const reads: Queries = {
    query: ({ values: [id] = [] }) =>
      new Promise((resolve, reject) => {
        const isGone = (from: string) => resolve([{ from }] as never);
        asked.push({ id, isThere: () => resolve([]), isGone, fails: () => reject(new Error('away')) });
      }),
  };
  const writes: Queries = { query: async () => [] };
  const metrics = new ServiceMetrics();
  const rewinds = async () => (await metrics.rewinds.get()).values[0]?.value ?? 0;
  return { end: new KnownEnd({ reads, writes, metrics, logger: pino({ level: 'silent' }) }), asked, rewinds };
}

/** Consecutive ids. */
const [first, second] = ['00000000-0001-7000-8000-000000000000', '00000000-0002-7000-8000-000000000000'] as const;

const ids = (asked: readonly { readonly id: unknown }[]) => asked.map(({ id }) => id);

test('the ids seen so far are checked again when a connection is cut during a check', async () => {
  const { end, asked } = knownEnd();
  end.seen(first);
  end.doubt();
  const settled = end.settled();
  await expect.poll(() => ids(asked)).toEqual([first]);
  end.seen(second);
  end.doubt();
  const later = [end.settled(), end.settled()];
  asked[0]?.isThere();
  await settled;
  await expect.poll(() => ids(asked)).toEqual([first, second]);
  asked[1]?.isThere();
  await Promise.all(later);
  await end.settled();
  expect(ids(asked)).toEqual([first, second]);
});

test('the same id is checked again after a failed check, despite other cuts and ids in between', async () => {
  const { end, asked } = knownEnd();
  end.seen(first);
  end.doubt();
  const settled = end.settled();
  await expect.poll(() => ids(asked)).toEqual([first]);
  end.seen(second);
  end.doubt();
  asked[0]?.fails();
  await expect(settled).rejects.toThrow('away');
  const again = end.settled();
  await expect.poll(() => ids(asked)).toEqual([first, first]);
  asked[1]?.isThere();
  await again;
});

test('lost events are not reported again after another connection cut', async () => {
  const { end, asked, rewinds } = knownEnd();
  end.seen(second);
  end.doubt();
  const settled = end.settled();
  await expect.poll(() => ids(asked)).toEqual([second]);
  end.doubt();
  asked[0]?.isGone(first);
  await settled;
  const again = end.settled();
  await expect.poll(() => ids(asked)).toEqual([second, first]);
  asked[1]?.isThere();
  await again;
  expect(await rewinds()).toBe(1);
});
