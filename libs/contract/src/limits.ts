/**
 * The limits of section 8 of the specification. String lengths count Unicode code points; names ending in `Bytes` count
 * UTF-8 bytes (reading 1.6).
 */
export const limits = {
  deploymentId: 200,
  service: 128,
  environment: 64,
  version: 50,
  runUrl: 2048,
  runNumber: 128,
  actor: 128,
  ref: 256,
  sha: 128,
  parentDeployments: 32,
  progressReporter: 128,
  eventType: 128,
  componentDetail: 32_768,
  correlationId: 128,
  bodyBytes: 256 * 1024,
  /** The maximum number of query parameters, including repeated ones. No call needs this many. */
  queryPairs: 1000,
  cursorBytes: 8 * 1024,
  payloadBytes: 8 * 1024,
  removalReason: 500,
  slotsMaxDefault: 100_000,
  /** Clients warn about events with a time further in the future than this (reading 8.8). */
  aheadWarningMinutes: 5,
  pageSizeDefault: 100,
  pageSizeMax: 500,
  /** Much longer than any cursor that the service returns. */
  pageCursor: 200,
  analyticsLimitDefault: 10,
  analyticsLimitMax: 100,
  heartbeatSeconds: 15,
  reconnectMs: 2000,
  controlRetentionHours: 2,
  historyRetentionDaysDefault: 365,
  historyRetentionDaysMin: 90,
  resetAckTimeoutSeconds: 10,
  resetGateMaxTtlSeconds: 60,
  eliteChangeFailureRate: 0.15,
  /** The maximum number of globs in one parameter, and the maximum length of each (questions.md 2.1). */
  globs: 100,
  globLength: 128,
  /** The maximum number of teams in one request (questions.md 12.2). */
  teams: 100,
  /** The longest period (questions.md 3.1). */
  periodDaysMax: 400,
  /**
   * The length limits of a release search, the minimum length of a sha prefix, and the maximum rows per release
   * (questions.md 9).
   */
  releaseQueryMin: 2,
  releaseQueryMax: 128,
  shaPrefixMin: 4,
  releaseEventsMax: 500,
  /** Parts of a histogram of changes, and changes dated in the future on one page (changes.md). */
  changeBucketsDefault: 60,
  changeBucketsMax: 200,
  changesAheadMax: 100,
  /** Lengths of the texts in holds (holds.md 6.3). */
  holdReason: 500,
  holdVersion: 128,
  holdUrl: 2048,
  holdBy: 128,
  holdSourceId: 300,
  /** Lengths of the texts in outages (outages.md 1.2, 7.1). */
  outageId: 128,
  outageSeverity: 32,
  outageTitle: 300,
  outageUrl: 2048,
  /** The maximum number of rows returned for one outage, the newest. */
  outageRows: 500,
} as const;

/** Default times of the streams (readings 6.5, 6.6 and 6.8). */
export const streamTimes = {
  heartbeatMs: limits.heartbeatSeconds * 1000,
  pollMs: 1000,
  stalledMs: 10 * 60_000,
  reconnectMs: limits.reconnectMs,
} as const;

/** The header and path patterns of sections 4 and 8, as JSON Schema `pattern` strings. */
export const patterns = {
  progressReporter: '^[a-z0-9][a-z0-9./-]{0,127}$',
  componentId: '^[a-z0-9][a-z0-9.-]{0,127}$',
  adapter: '^[a-z0-9][a-z0-9-]{0,63}$',
  /** Text that PostgreSQL can store: no U+0000 and no lone surrogate (reading 1.6). Matched with the `u` flag. */
  storableText: '^[^\\u0000\\ud800-\\udfff]*$',
  /** A glob that does not end in a bare backslash (questions.md 12.2). */
  glob: '^(?:[^\\\\]|\\\\[\\s\\S])*$',
  /** A glob that PostgreSQL can store. */
  storableGlob: '^(?:[^\\\\\\u0000\\ud800-\\udfff]|\\\\[^\\u0000\\ud800-\\udfff])*$',
} as const;
