import type { Status } from '@shiplog/contract';
import {
  builtDashboard,
  cloneDatabase,
  type RunningService,
  runService,
  type TestServiceOptions,
  testKeys,
} from '@shiplog/testing';
import { mockTarget } from './mock-target.ts';

/** A difference from the core and the sentence in the specification that allows it. */
export interface Allowed<Value> {
  readonly value: Value;
  readonly sentence: string;
}

/** The allowed differences of a target from the core; an absent member means no difference. */
export interface Differences {
  /** The statuses that ingest accepts. */
  readonly ingestStatuses?: Allowed<readonly Status[]>;
  readonly prevFailed?: Allowed<'any failure since the last success'>;
  readonly slotNext?: Allowed<'not sent'>;
  /** The environments that are listed first, in this order. Others follow by code point. */
  readonly environmentOrder?: Allowed<readonly string[]>;
  readonly listCursor?: Allowed<'base64 of an integer offset'>;
  readonly replay?: Allowed<'none'>;
  readonly streamPosition?: Allowed<'not sent'>;
  /** The checks that `/readyz` lists. */
  readonly readinessChecks?: Allowed<readonly string[]>;
}

export type Difference = keyof Differences;

/**
 * The parts that a target need not have, with their path prefixes. The name of a suite about a part begins with that
 * part.
 */
export const parts = {
  analytics: ['/api/analytics'],
  control: ['/api/control'],
  /** Several instances on one log, and direct access to its database. */
  database: [],
  metrics: ['/metrics'],
  /** The endpoints that questions.md and board-facts.md add to the application API. */
  questions: ['/api/board/', '/api/catalog', '/api/environments/', '/api/quality', '/api/releases'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof parts;

export interface TargetKeys {
  readonly api: string;
  readonly control: string;
}

export interface RunningTarget {
  /** The URL without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: TargetKeys;
  /** `undefined` for a target that the suite does not run itself. */
  readonly databaseUrl: string | undefined;
  /** Starts another instance. Rejects for a target that the suite does not run itself. */
  readonly startInstance: (options?: InstanceOptions) => Promise<RunningInstance>;
  close(): Promise<void>;
}

export interface RunningInstance extends RunningService {
  /** The database of the instance's log, for another instance or for direct access. */
  readonly databaseUrl: string;
}

export interface InstanceOptions extends Partial<TestServiceOptions> {
  /** Whether the instance has a separate, empty log instead of the target's. */
  readonly ownLog?: boolean;
}

/** An implementation of the contract that the suite tests. */
export interface Target {
  readonly name: string;
  /** Whether the suite did not start the target. Its log may contain anything, and the suite can't restart it. */
  readonly external: boolean;
  readonly differences: Differences;
  /** The parts that the target doesn't have, each with the sentence in the specification that allows this. */
  readonly lacks: Readonly<Partial<Record<Part, string>>>;
  run(): Promise<RunningTarget>;
}

/** The targets of this run: the instance at `CONFORMANCE_URL`, or all targets that the suite can start. */
export function targets(): readonly Target[] {
  const { CONFORMANCE_URL: url, CONFORMANCE_API_KEY: api, CONFORMANCE_CONTROL_API_KEY: control } = process.env;
  // The mock has no database, so there is no need to test it again with another PostgreSQL.
  if (url === undefined) return process.env.TEST_POSTGRES_BINARIES ? [serviceTarget] : [serviceTarget, mockTarget];
  return [externalTarget(url, { api: api ?? 'dev-api-key', control: control ?? 'dev-control-key' })];
}

/** Slow tests (over 15 s) run only on request. */
export const slowTestsWanted = process.env.CONFORMANCE_SLOW !== undefined;

const serviceTarget: Target = {
  name: 'service',
  external: false,
  differences: {},
  lacks: {},
  async run() {
    const database = await cloneDatabase();
    // The suite sends all requests as one client and must stay within the service's default limits.
    const service = await runService({
      databaseUrl: database.url,
      config: { readsPerClient: 8, dashboardDir: builtDashboard },
    });
    const ownLogs: { drop(): Promise<void> }[] = [];
    return {
      baseUrl: service.url,
      keys: testKeys,
      databaseUrl: database.url,
      startInstance: async ({ ownLog = false, ...options } = {}) => {
        const log = ownLog ? await cloneDatabase() : database;
        if (ownLog) ownLogs.push(log);
        const started = { databaseUrl: log.url, ...options };
        return { ...(await runService(started)), databaseUrl: started.databaseUrl };
      },
      close: async () => {
        await service.stop();
        await Promise.all([database, ...ownLogs].map((log) => log.drop()));
      },
    };
  },
};

function externalTarget(url: string, keys: TargetKeys): Target {
  return {
    name: url,
    external: true,
    differences: {},
    lacks: {},
    run: async () => ({
      baseUrl: url.replace(/\/+$/, ''),
      keys,
      databaseUrl: undefined,
      startInstance: () => Promise.reject(new Error('an external target cannot be given a second instance')),
      close: async () => undefined,
    }),
  };
}
