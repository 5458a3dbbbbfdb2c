import { type FieldError, limits, parseInstant } from '@shiplog/contract';
import { microsOf } from './micros.ts';

const dayMicros = 86_400_000_000n;
const pastMicros = 300_000_000n;
const longestMicros = BigInt(limits.periodDaysMax) * dayMicros;

export function utc(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : parseInstant(text);
}

/** What is wrong with the version and the times of a hold that is set now (holds.md 2, 6.3). */
export function spanFaults(
  {
    kind,
    version,
    from,
    until,
  }: { kind: string; version?: string | null; from?: string | null; until?: string | null },
  now: string,
): FieldError[] {
  const nowMicros = microsOf(now);
  const begin = utc(from);
  const beginMicros = begin === undefined ? nowMicros : microsOf(begin);
  const end = utc(until);
  const faults: FieldError[] = [];
  const isBad = kind === 'bad';
  if (isBad && !version) faults.push({ pointer: '/version', message: 'is required for a bad version' });
  if (!isBad && version) faults.push({ pointer: '/version', message: 'is only for a bad version' });
  if (beginMicros < nowMicros - pastMicros)
    faults.push({ pointer: '/from', message: 'must not be more than 5 minutes in the past' });
  if (beginMicros > nowMicros + longestMicros)
    faults.push({ pointer: '/from', message: 'must be at most 400 days ahead' });
  if (end === undefined) {
    if (!isBad) faults.push({ pointer: '/until', message: 'is required; only a bad version may have no end' });
    return faults;
  }
  const endMicros = microsOf(end);
  if (endMicros <= beginMicros) faults.push({ pointer: '/until', message: 'must be after from' });
  else if (endMicros <= nowMicros) faults.push({ pointer: '/until', message: 'must be in the future' });
  else if (endMicros > beginMicros + longestMicros) {
    faults.push({ pointer: '/until', message: 'must be at most 400 days after from' });
  }
  return faults;
}

/** What is wrong with the end of an exception that is made now. */
export function exceptionFaults(until: string, now: string): FieldError[] {
  const [end, nowMicros] = [microsOf(until), microsOf(now)];
  if (end <= nowMicros) return [{ pointer: '/until', message: 'must be in the future' }];
  if (end > nowMicros + longestMicros) return [{ pointer: '/until', message: 'must be at most 400 days ahead' }];
  return [];
}
