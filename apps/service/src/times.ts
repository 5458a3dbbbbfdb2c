import { streamTimes } from '@shiplog/contract';
import type { StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.ts';
import { type StandbyTimes, standbyTimes } from './db/standby.ts';
import { type FoldingTimes, foldingTimes } from './folding.ts';
import type { ServiceMetrics } from './metrics.ts';
import { type RetentionTimes, retentionTimes } from './retention.ts';

/** Intervals and time limits. Tests pass their own. */
export interface ServiceTimes extends StreamTimes, RetentionTimes, StandbyTimes, FoldingTimes {
  /** How often the state of the reset is read without a notification. */
  readonly resetPollMs: number;
  readonly catalogPollMs: number;
  /** How long a slow read waits when the client has reached its limit. */
  readonly readWaitMs: number;
  /** How long counts of rejected posts are collected before they are stored. */
  readonly refusalsMs: number;
  /**
   * How long a stopping service still accepts requests on open connections. Shorter than the second that our own stream
   * clients wait before they reconnect, so that none returns to an instance that is ending.
   */
  readonly drainMs: number;
}

export const serviceTimes: ServiceTimes = {
  ...streamTimes,
  ...retentionTimes,
  ...standbyTimes,
  ...foldingTimes,
  resetPollMs: 1000,
  catalogPollMs: 1000,
  readWaitMs: 3000,
  refusalsMs: 1000,
  drainMs: 500,
};

export interface PartOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly times: ServiceTimes;
  /** Aborts the start. */
  readonly signal: AbortSignal | undefined;
}
