import type { CiFaultEffect, CiTool, SourceHealth } from '@shiplog/companions';
import { expect } from 'vitest';

export interface FaultCase {
  readonly name: string;
  readonly effect: CiFaultEffect;
  /** A glob; if absent, any request. */
  readonly path?: string;
  /** How many times it occurs; if absent, for two and a half cycles. */
  readonly times?: number;
  /** What health shows for a source during the fault; `ok` if the fault has no effect. */
  readonly told: Partial<SourceHealth>;
}

const ok = { last_outcome: 'ok', reachable: true } as const;
const limited = { last_outcome: 'rate_limited', reachable: true } as const;
const away = (reason: RegExp) =>
  ({ last_outcome: 'error', reachable: false, last_error: expect.stringMatching(reason) as string }) as const;

/** Each effect of CI emulator §7, except those that take real time. */
export const faultCases: readonly FaultCase[] = [
  { name: '500', effect: { status: 500 }, told: away(/: 500$/) },
  { name: '401', effect: { status: 401 }, told: { last_outcome: 'auth_failed', reachable: true } },
  { name: 'cut', effect: { cut: 7 }, told: away(/no complete answer/) },
  { name: 'garbage', effect: { garbage: true }, told: away(/JSON/) },
  { name: 'secondary', effect: { secondary: 90 }, times: 1, told: limited },
  { name: 'secondary without Retry-After', effect: { secondary: 'bare' }, told: limited },
  { name: 'bare 429', effect: { bare_429: true }, told: limited },
  { name: 'no rate headers', effect: { no_rate_headers: true }, told: ok },
  { name: 'no etag', effect: { no_etag: true }, told: ok },
  { name: 'lag', effect: { lag_ms: 45_000 }, told: ok },
  { name: 'shuffle', effect: { shuffle: true }, told: ok },
  { name: 'a clock that is ahead', effect: { skew_ms: 3_600_000 }, told: ok },
  { name: 'a clock that is behind', effect: { skew_ms: -3_600_000 }, told: ok },
  { name: 'exhausted', effect: { exhausted: true }, times: 1, told: limited },
];

/** A rule for `POST /_ci/faults`. */
export function faultRule({ effect, path, times }: FaultCase, tool: CiTool) {
  return { match: { tool, ...(path && { path }) }, effect, ...(times === undefined ? { for_ms: 75_000 } : { times }) };
}
