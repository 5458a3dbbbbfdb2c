import { instantKey, limits } from '@shiplog/contract';

const dayMicros = 86_400_000_000n;
const hourMicros = dayMicros / 24n;

/** Microseconds since the Unix epoch, exact for every year, of an instant in UTC. */
export function microsOf(utc: string): bigint {
  const [seconds = '', fraction = ''] = instantKey(utc).split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction);
}

/** RFC 3339 in UTC, without trailing zeros. */
export function instantOfMicros(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(fraction).padStart(6, '0')}`.replace(/\.?0+$/, '').concat('Z');
}

/** What is wrong with the length of a time range; continues a sentence that starts with the pointer of `from`. */
export function lengthFault(from: string, to: string): string | undefined {
  const length = microsOf(to) - microsOf(from);
  if (length <= 0n) return 'must be before to';
  return length > BigInt(limits.periodDaysMax) * dayMicros
    ? `must be at most ${limits.periodDaysMax} days before to`
    : undefined;
}

const floorOf = (micros: bigint, unit: bigint) => Number((micros - (((micros % unit) + unit) % unit)) / unit);

/** The UTC days since 1970 that are completely in a range, the last one exclusive; none if they don't increase. */
export function wholeDays(from: string, to: string): [first: number, last: number] {
  return [floorOf(microsOf(from) + dayMicros - 1n, dayMicros), floorOf(microsOf(to), dayMicros)];
}

export function instantOfDay(day: number): string {
  return instantOfMicros(BigInt(day) * dayMicros);
}

/** The UTC hours since 1970 that ascending boundaries touch, the last one exclusive, and those that a boundary cuts. */
export function hoursBetween(boundaries: readonly string[]): {
  readonly hours: readonly [first: number, last: number];
  readonly cut: readonly number[];
} {
  const all = boundaries.map(microsOf);
  const [from = 0n, to = 0n] = [all[0], all.at(-1)];
  const cut = all.filter((micros) => micros % hourMicros !== 0n).map((micros) => floorOf(micros, hourMicros));
  return { hours: [floorOf(from, hourMicros), floorOf(to + hourMicros - 1n, hourMicros)], cut: [...new Set(cut)] };
}
