import type { OutageRow } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outageOf } from '../src/domain/outages.ts';

const gapMinutes = 30;
const epoch = Date.parse('2026-05-04T00:00:00Z');

interface Step {
  readonly minute: number;
  readonly state: OutageRow['state'];
}

const steps = fc
  .uniqueArray(
    fc.record<Step>({
      minute: fc.integer({ min: 0, max: 200 }),
      state: fc.constantFrom('opened', 'opened', 'resolved', 'resolved', 'dismissed'),
    }),
    { minLength: 1, maxLength: 12, selector: ({ minute }) => minute },
  )
  .map((rows) => rows.toSorted((one, other) => one.minute - other.minute));

const rowsOf = (list: readonly Step[]) =>
  list.map(({ minute, state }, index): OutageRow => {
    const happened_at = new Date(epoch + minute * 60_000).toISOString();
    return { id: `0-${index}`, source: 's', outage_id: 'o', state, happened_at };
  });

/** Minute by minute: open where the last row that counts says so; short gaps between open minutes are filled. */
function plainMinutes(list: readonly Step[]): number | null {
  const counting = list.filter(({ state }) => state !== 'dismissed');
  const hasOpened = list.some(({ state }) => state === 'opened');
  const [first] = list;
  const begin = hasOpened
    ? list.find(({ state }) => state === 'opened')
    : first?.state === 'dismissed'
      ? first
      : undefined;
  if (!begin) return null;
  const isOpen = (minute: number) => {
    if (minute < begin.minute) return false;
    const said = counting.findLast((step) => step.minute <= minute && step.minute > begin.minute);
    return said === undefined || said.state === 'opened';
  };
  const end = (list.at(-1)?.minute ?? 0) + 1;
  if (isOpen(end)) return null;
  let [total, gap, hasBegun] = [0, 0, false];
  for (let minute = 0; minute <= end; minute += 1) {
    if (!isOpen(minute)) {
      gap += 1;
      continue;
    }
    if (hasBegun && gap <= gapMinutes) total += gap;
    [total, gap, hasBegun] = [total + 1, 0, true];
  }
  return total;
}

function plainState(list: readonly Step[]): { state: string; opened: number; resolved: number | null } {
  const opened = list.filter(({ state }) => state === 'opened');
  const lastOpened = opened.at(-1)?.minute ?? Number.NEGATIVE_INFINITY;
  const resolved = list.find(({ state, minute }) => state === 'resolved' && minute > lastOpened)?.minute ?? null;
  const dismissed = list.some(({ state, minute }) => state === 'dismissed' && minute > lastOpened);
  return {
    state: dismissed ? 'dismissed' : resolved === null ? 'open' : 'resolved',
    opened: opened[0]?.minute ?? list[0]?.minute ?? 0,
    resolved,
  };
}

const minuteOf = (instant: string | null) => (instant === null ? null : (Date.parse(instant) - epoch) / 60_000);

test('outages add up to what a minute-by-minute model says', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const outage = outageOf(rowsOf(list));
      const { state, opened, resolved } = plainState(list);
      expect([outage.state, minuteOf(outage.opened_at), minuteOf(outage.resolved_at), outage.minutes]).toEqual([
        ...[state, opened, resolved, plainMinutes(list)],
      ]);
    }),
    { numRuns: 3000 },
  );
});
