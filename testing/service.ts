import { createLogger } from '@shiplog/server';
import { type ServiceConfig, type ServiceOptions, startService } from '@shiplog/service';
import { onTestFinished } from 'vitest';
import { refuseSecrets } from './secrets.ts';

/** Where `npm run build` puts the dashboard, as the setting of a service. */
export const builtDashboard = '../dashboard/dist';

/** The keys of every service that tests start. */
export const testKeys = { api: 'secret-of-pipelines', control: 'secret-of-operators' } as const;

export interface TestServiceOptions {
  readonly databaseUrl: string;
  readonly config?: Partial<ServiceConfig>;
  readonly times?: ServiceOptions['times'];
  /** Where log lines go; nowhere by default. */
  readonly log?: { write(line: string): void };
}

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

/** A log of everything that is worth a line, for whoever takes the lines; nothing is written where nobody does. */
export function testLogger(log: TestServiceOptions['log']): ReturnType<typeof createLogger> {
  if (!log) return createLogger('silent');
  const write = (line: string) => {
    refuseSecrets('a line of a log', line);
    log.write(line);
  };
  return createLogger('debug', { write });
}

/** Starts the whole service in this process on a free port; the caller stops it. */
export async function runService(options: TestServiceOptions): Promise<RunningService> {
  return startService({
    config: {
      port: 0,
      host: '127.0.0.1',
      databaseUrl: options.databaseUrl,
      readDatabaseUrl: undefined,
      dataDir: 'unused',
      // To serve its files takes a seventh of a start; tests of pages set `builtDashboard`.
      dashboardDir: 'unused',
      catalogFile: undefined,
      keys: { api: [testKeys.api], control: [testKeys.control] },
      historyRetentionDays: 365,
      maxFutureHours: undefined,
      pruneConfirm: undefined,
      slotsMax: 100_000,
      reset: { ackTimeoutSeconds: 10, gateMaxTtlSeconds: 60, expectedComponents: ['dashboard-fetcher', 'demo-driver'] },
      analytics: { granularity: 'day', promotionOrder: ['dev', 'staging', 'qa', 'preprod', 'prod'] },
      problemBase: '/problems',
      // Tests ask from one address what many clients would ask; those of the limit set it.
      readsPerClient: 0,
      trustedProxies: [],
      logLevel: 'silent',
      ...options.config,
    },
    logger: testLogger(options.log),
    // Tests stop services all the time, and nothing is under way then. Many post events of long ago, of which none is
    // pruned in the middle of a test, whatever the year and however slow the machine is.
    times: { drainMs: 0, firstMs: 24 * 3_600_000, ...options.times },
  });
}

/** The same, stopped when the test is over. */
export async function testService(options: TestServiceOptions): Promise<RunningService> {
  const service = await runService(options);
  onTestFinished(() => service.stop());
  return service;
}
