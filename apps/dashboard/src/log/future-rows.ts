import { slotKey } from '../board/board.ts';
import { type FutureRows, hiddenBy, noFutureRows, type SlotInFuture, slotsInFuture } from '../board/future-rows.ts';
import type { Connection } from '../live/connection.ts';
import { endAll, Store } from '../state/store.ts';
import { follow, readerOf } from './follow-log.ts';
import { logQueryOfSlot } from './log-query.ts';
import type { LogReader } from './log-reader.ts';

/** At most so many histories are read. If a whole fleet has a wrong clock, the other slots only say that they are dated ahead. */
const readMax = 20;

interface Followed {
  readonly reader: LogReader;
  readonly end: () => void;
}

/**
 * The slots that are dated ahead at this moment, looked at with each change of the board and each tick of the clock. The
 * matrix says which they are; what one of them hides, only its history does.
 */
export function futureRowsOf(connection: Connection): Store<FutureRows> {
  const { board, now } = connection;
  const futureRows = new Store<FutureRows>(noFutureRows);
  const followed = new Map<string, Followed>();

  function look(): void {
    const slots = board.value ? slotsInFuture(board.value, now.value) : [];
    const read = new Map(slots.slice(0, readMax).map((slot) => [keyOf(slot), slot]));
    for (const [key, { end }] of followed) {
      if (read.has(key)) continue;
      end();
      followed.delete(key);
    }
    for (const [key, slot] of read) if (!followed.has(key)) followed.set(key, followedOf(slot));
    tell(slots);
  }

  function followedOf(slot: SlotInFuture): Followed {
    const reader = readerOf(connection, logQueryOfSlot(slot));
    return { reader, end: endAll(follow(connection, reader), reader.state.listen(look)) };
  }

  function tell(slots: readonly SlotInFuture[]): void {
    const before = futureRows.value;
    const after = new Map(
      slots.map((slot) => {
        const key = keyOf(slot);
        const hidden = hiddenBy(slot.current, followed.get(key)?.reader.state.value.loaded.events ?? []);
        const known = before.get(key);
        return [key, known && known.hidden?.id === hidden?.id ? known : { hidden }];
      }),
    );
    const isSame = after.size === before.size && [...after].every(([key, ahead]) => before.get(key) === ahead);
    if (!isSame) futureRows.set(after);
  }

  board.listen(look);
  now.listen(() => {
    for (const { reader } of followed.values()) if (reader.state.value.phase === 'failed') void reader.older();
    look();
  });
  return futureRows;
}

function keyOf({ service, environment }: SlotInFuture): string {
  return slotKey(service, environment);
}
