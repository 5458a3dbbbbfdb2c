import { promotionOrder } from '@shiplog/contract';
import { createLogger } from '@shiplog/server';
import { type ServiceConfig, type ServiceOptions, startService } from '@shiplog/service';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { cloneDatabase, emptyLog } from './database.ts';
import { refuseSecrets } from './secrets.ts';

/** The folder into which `npm run build` writes the dashboard, for use as a setting of the service. */
export const builtDashboard = '../dashboard/dist';

/** The keys of every service that tests start. */
export const testKeys = { api: 'secret-of-pipelines', control: 'secret-of-operators' } as const;

/** The default settings of access: one shared key, and open reads. */
export const openAccess = {
  accessFile: undefined,
  provenEnvironments: [],
  readers: 'open',
  publicUrl: undefined,
  readerHeader: undefined,
  readerProxies: undefined,
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  oidcScopes: 'openid email profile',
  oidcAllow: [],
  oidcGroupsClaim: 'groups',
  sessionHours: 12,
  badges: 'guarded',
  metrics: 'guarded',
  outageLinkHours: 4,
} as const satisfies Partial<ServiceConfig>;

export interface TestServiceOptions {
  readonly databaseUrl: string;
  readonly config?: Partial<ServiceConfig>;
  readonly times?: ServiceOptions['times'];
  /** Receives the log lines. If absent, nothing is logged. */
  readonly log?: { write(line: string): void };
}

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

/** A logger that writes all levels to `log`, or nothing if `log` is absent. */
export function testLogger(log: TestServiceOptions['log']): ReturnType<typeof createLogger> {
  if (!log) return createLogger('silent');
  const write = (line: string) => {
    refuseSecrets('a line of a log', line);
    log.write(line);
  };
  return createLogger('debug', { write });
}

/** Starts the complete service in this process on a free port. The caller must stop it. */
export async function runService(options: TestServiceOptions): Promise<RunningService> {
  return startService({
    config: {
      port: 0,
      host: '127.0.0.1',
      databaseUrl: options.databaseUrl,
      readDatabaseUrl: undefined,
      dataDir: 'unused',
      // Loading the dashboard's files takes a seventh of the start time. Tests of pages set `builtDashboard`.
      dashboardDir: 'unused',
      catalogFile: undefined,
      ...openAccess,
      keys: { api: [testKeys.api], control: [testKeys.control] },
      historyRetentionDays: 365,
      maxFutureHours: undefined,
      pruneConfirm: undefined,
      slotsMax: 100_000,
      reset: { ackTimeoutSeconds: 10, gateMaxTtlSeconds: 60, expectedComponents: ['dashboard-fetcher', 'demo-driver'] },
      analytics: { granularity: 'day', promotionOrder: promotionOrder.map((name) => ({ name })) },
      problemBase: '/problems',
      // Tests send the requests of many clients from one address. Tests of the limit set this explicitly.
      readsPerClient: 0,
      trustedProxies: [],
      logLevel: 'silent',
      ...options.config,
    },
    logger: testLogger(options.log),
    // A service has no requests in progress when a test stops it. Many tests post old events, which must not be pruned
    // during a test.
    times: { drainMs: 0, firstMs: 24 * 3_600_000, ...options.times },
  });
}

/** Like `runService`, but stops the service when the test ends. */
export async function testService(options: TestServiceOptions): Promise<RunningService> {
  const service = await runService(options);
  onTestFinished(() => service.stop());
  return service;
}

export interface FileService {
  readonly databaseUrl: string;
  readonly url: string;
  /** The URL of the second instance; of the first if there is only one. */
  readonly otherUrl: string;
}

/** One instance or more on one log for all tests of a file; each test finds the log empty. */
export function fileService(instances = 1, config: Partial<ServiceConfig> = {}): FileService {
  const ends: (() => Promise<void>)[] = [];
  const file = { databaseUrl: '', url: '', otherUrl: '' };
  beforeAll(async () => {
    const { url: databaseUrl, drop } = await cloneDatabase();
    ends.push(drop);
    for (let n = 0; n < instances; n += 1) {
      const { url, stop } = await runService({ databaseUrl, config });
      ends.unshift(stop);
      Object.assign(file, { databaseUrl, url: file.url || url, otherUrl: url });
    }
  });
  beforeEach(() => emptyLog(file.databaseUrl));
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return file;
}
