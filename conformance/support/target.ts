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

/** A departure from the core, and the sentence of the specification that allows it. */
export interface Allowed<Value> {
  readonly value: Value;
  readonly sentence: string;
}

/** Where a target may differ from the core; what is absent does not differ. */
export interface Differences {
  /** The statuses that ingest takes. */
  readonly ingestStatuses?: Allowed<readonly Status[]>;
  readonly prevFailed?: Allowed<'any failure since the last success'>;
  readonly slotNext?: Allowed<'not sent'>;
  /** Environments that come first, in this order; the rest by code point. */
  readonly environmentOrder?: Allowed<readonly string[]>;
  readonly listCursor?: Allowed<'base64 of an integer offset'>;
  readonly replay?: Allowed<'none'>;
  readonly streamPosition?: Allowed<'not sent'>;
  /** The checks that `/readyz` names. */
  readonly readinessChecks?: Allowed<readonly string[]>;
}

export type Difference = keyof Differences;

/** What a target may do without, and where its paths begin. A suite whose name begins with a part is about that part. */
export const parts = {
  analytics: ['/api/analytics'],
  control: ['/api/control'],
  /** Several instances on one log, and levers on it. */
  database: [],
  metrics: ['/metrics'],
  /** questions.md: what it adds to the application API. */
  questions: ['/api/catalog', '/api/environments/', '/api/quality', '/api/releases'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof parts;

export interface TargetKeys {
  readonly api: string;
  readonly control: string;
}

export interface RunningTarget {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly keys: TargetKeys;
  /** `undefined` for a target that the suite does not run itself. */
  readonly databaseUrl: string | undefined;
  /** A further instance beside this one; rejects for a target that the suite does not run itself. */
  readonly startInstance: (options?: InstanceOptions) => Promise<RunningInstance>;
  close(): Promise<void>;
}

export interface RunningInstance extends RunningService {
  /** Where its log is, for a further instance on it and for levers of the database. */
  readonly databaseUrl: string;
}

export interface InstanceOptions extends Partial<TestServiceOptions> {
  /** An instance on an empty log of its own instead of the target's. */
  readonly ownLog?: boolean;
}

/** One implementation of the contract that the suite runs against. */
export interface Target {
  readonly name: string;
  /** The suite did not start it: its log may hold anything, and it cannot be restarted or cut off. */
  readonly external: boolean;
  readonly differences: Differences;
  /** The sentence of the specification that allows it, for each part that is not there. */
  readonly lacks: Readonly<Partial<Record<Part, string>>>;
  run(): Promise<RunningTarget>;
}

/** What this run tests: the instance that `CONFORMANCE_URL` names, or everything that the suite can start itself. */
export function targets(): readonly Target[] {
  const { CONFORMANCE_URL: url, CONFORMANCE_API_KEY: api, CONFORMANCE_CONTROL_API_KEY: control } = process.env;
  // The mock has no database: on another PostgreSQL it would be the same once more.
  if (url === undefined) return process.env.TEST_POSTGRES_BINARIES ? [serviceTarget] : [serviceTarget, mockTarget];
  return [externalTarget(url, { api: api ?? 'dev-api-key', control: control ?? 'dev-control-key' })];
}

/** The slow ones (over 15 s) run on request only. */
export const slowTestsWanted = process.env.CONFORMANCE_SLOW !== undefined;

const serviceTarget: Target = {
  name: 'service',
  external: false,
  differences: {},
  lacks: {},
  async run() {
    const database = await cloneDatabase();
    // As one client, within what the product gives one.
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
