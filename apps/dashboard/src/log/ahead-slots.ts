import { type AheadSlots, hiddenBy, noneAhead, type SlotAhead, slotKey, slotsAhead } from '../board/ahead.ts';
import { board } from '../live/connection.ts';
import { Store } from '../state/store.ts';
import { now } from '../ui/clock.tsx';
import { follow, readerOf } from './follow-log.ts';
import { logQueryOfSlot } from './log-query.ts';
import type { LogReader } from './log-reader.ts';

/** The slots that are dated ahead at this moment. The matrix says which; what one hides, only its history does. */
export const aheadSlots = new Store<AheadSlots>(noneAhead);

/** Of so many slots the history is read; where a whole fleet has a wrong clock, the others only say that theirs is. */
const readMax = 20;

interface Followed {
  readonly reader: LogReader;
  readonly end: () => void;
}

const followed = new Map<string, Followed>();

/** Looks with each change of the board and each tick of the clock which slots are dated ahead. */
export function watchAheadSlots(): void {
  board.listen(look);
  now.listen(() => {
    for (const { reader } of followed.values()) if (reader.state.value.phase === 'failed') void reader.older();
    look();
  });
}

function look(): void {
  const slots = board.value ? slotsAhead(board.value, now.value) : [];
  const read = new Map(slots.slice(0, readMax).map((slot) => [keyOf(slot), slot]));
  for (const [key, { end }] of followed) {
    if (read.has(key)) continue;
    end();
    followed.delete(key);
  }
  for (const [key, slot] of read) if (!followed.has(key)) followed.set(key, followedOf(slot));
  tell(slots);
}

function followedOf(slot: SlotAhead): Followed {
  const reader = readerOf(logQueryOfSlot(slot));
  const ends = [follow(reader), reader.state.listen(look)];
  const end = () => {
    for (const each of ends) each();
  };
  return { reader, end };
}

function tell(slots: readonly SlotAhead[]): void {
  const before = aheadSlots.value;
  const after = new Map(
    slots.map((slot) => {
      const key = keyOf(slot);
      const hidden = hiddenBy(slot.current, followed.get(key)?.reader.state.value.loaded.events ?? []);
      const known = before.get(key);
      return [key, known && known.hidden?.id === hidden?.id ? known : { hidden }];
    }),
  );
  const isSame = after.size === before.size && [...after].every(([key, ahead]) => before.get(key) === ahead);
  if (!isSame) aheadSlots.set(after);
}

function keyOf({ service, environment }: SlotAhead): string {
  return slotKey(service, environment);
}
