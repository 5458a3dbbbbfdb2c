import { slotKey } from '../board/board.ts';
import { type FutureRows, hiddenBy, noFutureRows, type SlotInFuture, slotsInFuture } from '../board/future-rows.ts';
import type { Connection } from '../live/connection.ts';
import { endAll, Store } from '../state/store.ts';
import { follow, readerOf } from './follow-log.ts';
import { logQueryOfSlot } from './log-query.ts';
import type { LogReader } from './log-reader.ts';

/** If more slots are dated in the future, as with a wrong clock, the events that the others hide stay unknown. */
const readMax = 20;

/**
 * The slots whose current event is dated in the future, updated when the board changes and when the clock ticks. Reads
 * the history of each slot, because the board doesn't have the hidden event.
 */
export function futureRowsOf(connection: Connection): Store<FutureRows> {
  const { board, now } = connection;
  const futureRows = new Store<FutureRows>(noFutureRows);
  const followed = new Map<string, { readonly reader: LogReader; readonly end: () => void }>();

  function update(): void {
    const slots = board.value ? slotsInFuture(board.value, now.value) : [];
    const read = new Map(slots.slice(0, readMax).map((slot) => [keyOf(slot), slot]));
    for (const [key, { end }] of followed) {
      if (read.has(key)) continue;
      end();
      followed.delete(key);
    }
    for (const [key, slot] of read) {
      if (followed.has(key)) continue;
      const reader = readerOf(connection, logQueryOfSlot(slot));
      followed.set(key, { reader, end: endAll(follow(connection, reader), reader.state.listen(update)) });
    }
    publish(slots);
  }

  function publish(slots: readonly SlotInFuture[]): void {
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

  board.listen(update);
  now.listen(() => {
    for (const { reader } of followed.values()) if (reader.state.value.phase === 'failed') void reader.older();
    update();
  });
  return futureRows;
}

function keyOf({ service, environment }: SlotInFuture): string {
  return slotKey(service, environment);
}
