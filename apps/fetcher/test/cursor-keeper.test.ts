import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { CursorKeeper, type CursorKeeperOptions } from '../src/sources/cursor-keeper.ts';

const signal = new AbortController().signal;
const older = '019c5d1e-0000-7000-8000-000000000001';
const newer = '019c5d1e-0000-7000-8000-000000000002';

/** Cursor keepers of one source, one per process id. The memories that they store are numbered. */
function keepers(...owners: readonly string[]): CursorKeeper[] {
  const adapter = 'github-actions';
  let writes = 0;
  let state = { adapter, cursor: '', updated_at: '' };
  const reply = () => Promise.resolve({ status: 200, body: state, headers: new Headers() });
  const client = {
    getFetcherState: reply,
    putFetcherState: ({ body }: { body: { cursor: string } }) => {
      writes += 1;
      state = { adapter, cursor: body.cursor, updated_at: `write ${writes}` };
      return reply();
    },
  } as unknown as CursorKeeperOptions['client'];
  const quota = { used: undefined, restore: () => undefined };
  return owners.map((owner) => new CursorKeeper({ client, adapter, owner, clock: new TestClock(), quota }));
}

test.each([
  ['the older', [older, newer]],
  ['the newer', [newer, older]],
] as const)(
  'if the cycles of two processes run in step, the older process pauses, even if %s always stores last',
  async (_, owners) => {
    const [late, early] = keepers(...owners) as [CursorKeeper, CursorKeeper];
    let kinds: string[] = [];
    for (let cycle = 0; cycle < 3; cycle += 1) {
      kinds = [(await late.turn(signal)).kind, (await early.turn(signal)).kind];
      if (kinds[1] !== 'paused') await early.put({ cycle }, true, signal);
      if (kinds[0] !== 'paused') await late.put({ cycle }, true, signal);
    }
    expect(kinds.map((kind) => kind === 'paused')).toEqual(owners.map((owner) => owner === older));
  },
);
