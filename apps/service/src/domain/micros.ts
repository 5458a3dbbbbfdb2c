import { instantKey, limits } from '@shiplog/contract';

const dayMicros = 86_400_000_000n;

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

/** What is wrong with the length of a time range; the end of a sentence that starts with the pointer of its start. */
export function lengthFault(from: string, to: string): string | undefined {
  const length = microsOf(to) - microsOf(from);
  if (length <= 0n) return 'must be before to';
  return length > BigInt(limits.periodDaysMax) * dayMicros
    ? `must be at most ${limits.periodDaysMax} days before to`
    : undefined;
}
