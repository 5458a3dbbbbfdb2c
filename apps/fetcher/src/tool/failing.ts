/** A failure: since when, how many times in a row, and why. Instants are the tool's. */
export interface Failing {
  readonly sinceMs: number;
  readonly times: number;
  readonly triedMs: number;
  readonly why: string;
}

/** A failing place, as health shows it. */
export interface FailingPlace extends Pick<Failing, 'sinceMs' | 'why'> {
  readonly name: string;
}

/** The first failures are retried in the next cycle; most are over by then. */
const timesAtOnce = 3;
const waitMsMin = 60_000;
const waitMsMax = 10 * 60_000;

export function failedOnceMore(before: Failing | undefined, nowMs: number, why: string): Failing {
  return { sinceMs: before?.sinceMs ?? nowMs, times: (before?.times ?? 0) + 1, triedMs: nowMs, why };
}

/** Whether it is too early to retry: after three failures the waits double up to 10 minutes (fetcher §7). */
export function isWaiting(failing: Failing | undefined, nowMs: number): boolean {
  if (!failing || failing.times < timesAtOnce) return false;
  return nowMs - failing.triedMs < Math.min(waitMsMax, waitMsMin * 2 ** (failing.times - timesAtOnce));
}

/** The longest failure of each name, by code point. */
export function failingPlaces(entries: Iterable<readonly [name: string, failing: Failing]>): FailingPlace[] {
  const longest = new Map<string, FailingPlace>();
  for (const [name, { sinceMs, why }] of entries) {
    if (sinceMs < (longest.get(name)?.sinceMs ?? Number.POSITIVE_INFINITY)) longest.set(name, { name, sinceMs, why });
  }
  return [...longest.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
