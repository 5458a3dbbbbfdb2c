/** The delays of one event at many subscribers, as a histogram with steps of half a millisecond. */
export interface Arrivals {
  /** The number of the event, read from its stamp. */
  readonly number: number;
  /** The number of subscribers for each delay, in steps of half a millisecond. */
  readonly counts: number[];
}

const stepsPerMs = 2;

/** Records that another subscriber has received the event at this index. */
export function note(all: Arrivals[], place: number, { number, tookMs }: { number: number; tookMs: number }): void {
  all[place] ??= { number, counts: [] };
  const { counts } = all[place];
  const step = Math.max(0, Math.floor(tookMs * stepsPerMs));
  while (counts.length <= step) counts.push(0);
  counts[step] = (counts[step] ?? 0) + 1;
}

/**
 * The nearest-rank percentiles in ms over all subscribers and all events. `shares` are from 0 to 1.
 * @param before the offset in ms that is subtracted from the delays of an event; a negative result counts as zero.
 */
export function ranks(
  arrivals: readonly Arrivals[],
  shares: readonly number[],
  before: (number: number) => number,
): number[] {
  const times = new Map<number, number>();
  for (const { number, counts } of arrivals) {
    const lead = before(number);
    for (const [step, count] of counts.entries()) {
      const time = Math.max(0, (step + 0.5) / stepsPerMs - lead);
      if (count > 0) times.set(time, (times.get(time) ?? 0) + count);
    }
  }
  const sorted = [...times].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    let passed = 0;
    const found = sorted.find(([, count]) => {
      passed += count;
      return passed >= share * total;
    });
    return found?.[0] ?? Number.NaN;
  });
}
