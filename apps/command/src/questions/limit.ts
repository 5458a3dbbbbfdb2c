import { usageFailure } from '../failure.ts';

/** `--limit`, a number from 1 to 99999. @throws Failure for anything else. */
export function limitOf(given: unknown, usual: number): number {
  if (given === undefined) return usual;
  const limit = /^\d{1,5}$/.test(String(given)) ? Number(given) : 0;
  if (limit < 1) throw usageFailure(`--limit must be a number from 1 to 99999, not ${JSON.stringify(given)}.`);
  return limit;
}
