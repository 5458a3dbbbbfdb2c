import type { Client } from '@shiplog/client';
import { analyticsWindows, limits } from '@shiplog/contract';
import type { Given } from '../definition.ts';
import { usageFailure } from '../failure.ts';
import { instantOf } from '../time-options.ts';

const dayMs = 86_400_000;

/** The scope parameters from options (questions.md 2 and 11.3). */
export function scopeQuery(options: Given['options']) {
  const { services, environments, team: teams } = options as Record<string, string[] | undefined>;
  return { services, environments, teams };
}

/**
 * The period parameters (questions.md 3): an API window, a number of days that ends at the same time as a window, or
 * any period.
 */
export async function periodQuery(
  { period, ...range }: Given['options'],
  { client, now, signal }: { client: Pick<Client, 'getDora'>; now: Date; signal: AbortSignal },
): Promise<{ window?: string; from?: string; to?: string }> {
  if (period === undefined) return rangeQuery(range, now);
  if (range.from !== undefined || range.to !== undefined)
    throw usageFailure('Give --period, or --from and --to, not both.');
  if (analyticsWindows.some((known) => known === period)) return { window: String(period) };
  const days = /^\d{1,3}d$/.test(String(period)) ? Number.parseInt(String(period), 10) : 0;
  if (days < 1 || days > limits.periodDaysMax) {
    throw usageFailure(`--period must be 1d to ${limits.periodDaysMax}d, not ${JSON.stringify(period)}.`);
  }
  // The service decides where a window ends: at midnight or at a full hour, by its own clock.
  const { window } = (await client.getDora({ signal })).body;
  return { from: new Date(Date.parse(window.to) - days * dayMs).toISOString(), to: window.to };
}

/** The range parameters; none if neither option is given. @throws Failure if only one is given */
export function rangeQuery({ from, to }: Given['options'], now: Date): { from?: string; to?: string } {
  if (from === undefined && to === undefined) return {};
  if (from === undefined || to === undefined) throw usageFailure('Give --from and --to together.');
  return { from: instantOf('--from', String(from), now), to: instantOf('--to', String(to), now) };
}

/** Parses `--limit`, a number from 1 to 99999. @throws Failure for any other value. */
export function limitOf(given: unknown, standard: number): number {
  if (given === undefined) return standard;
  const limit = /^\d{1,5}$/.test(String(given)) ? Number(given) : 0;
  if (limit < 1) throw usageFailure(`--limit must be a number from 1 to 99999, not ${JSON.stringify(given)}.`);
  return limit;
}
