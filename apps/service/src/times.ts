import { streamTimes } from '@shiplog/contract';
import type { StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.ts';
import { type StandbyTimes, standbyTimes } from './db/standby.ts';
import { type FoldingTimes, foldingTimes } from './folding.ts';
import type { ServiceMetrics } from './metrics.ts';
import { type RetentionTimes, retentionTimes } from './retention.ts';

export interface IssuerTimes {
  /** How long a post waits for keys. */
  readonly keysWaitMs: number;
  /** The minimum time between two fetches for unknown key ids. */
  readonly unknownKeyMs: number;
  /** The age at which keys are fetched again in the background. */
  readonly keysRefreshMs: number;
  /** How long keys are kept while their issuer is unreachable. */
  readonly keysKeptMs: number;
  /** The minimum time between two failed fetches while there are no keys. */
  readonly keysRetryMs: number;
}

export const issuerTimes: IssuerTimes = {
  keysWaitMs: 5000,
  unknownKeyMs: 30_000,
  keysRefreshMs: 10 * 60_000,
  keysKeptMs: 24 * 3_600_000,
  keysRetryMs: 5000,
};

/** Intervals and time limits. Tests pass their own. */
export interface ServiceTimes extends StreamTimes, RetentionTimes, StandbyTimes, FoldingTimes, IssuerTimes {
  /** How often the state of the reset is read without a notification. */
  readonly resetPollMs: number;
  readonly catalogPollMs: number;
  /** A change of the access file takes effect after at most two polls. */
  readonly accessPollMs: number;
  /** A session that ended on another instance ends here after at most this time. */
  readonly sessionsPollMs: number;
  /** How often open streams are checked again. */
  readonly streamJudgeMs: number;
  /** How long a stream stays open before it ends, so that its proxy authenticates its reader again (access.md 9.21). */
  readonly proxyStreamMs: number;
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
  ...issuerTimes,
  resetPollMs: 1000,
  catalogPollMs: 1000,
  accessPollMs: 1000,
  sessionsPollMs: 10_000,
  streamJudgeMs: 1000,
  proxyStreamMs: 3_600_000,
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
