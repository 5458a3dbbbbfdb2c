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
  access: ['/api/access'],
  analytics: ['/api/analytics'],
  control: ['/api/control'],
  holds: ['/api/holds'],
  outages: ['/api/outages'],
  /** Several instances on one log, and direct access to its database. */
  database: [],
  metrics: ['/metrics'],
  /** The endpoints that questions.md, changes.md and board-facts.md add to the application API. */
  questions: ['/api/board/', '/api/catalog', '/api/changes', '/api/environments/', '/api/quality', '/api/releases'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof parts;

export interface TargetKeys {
  readonly api: string;
  readonly control: string;
}

export interface RunningInstance extends RunningService {
  /** The database of the instance's log, for another instance or for direct access. */
  readonly databaseUrl: string;
}

/** One implementation of the contract that the suite runs against. */
export interface Target {
  readonly name: string;
  /** Whether the suite did not start the target. Its log may contain anything, and the suite can't restart it. */
  readonly external: boolean;
  readonly differences: Differences;
  /** The parts that the target doesn't have, each with the sentence in the specification that allows this. */
  readonly lacks: Readonly<Partial<Record<Part, string>>>;
  readonly keys: TargetKeys;
  /** Starts the instance that the tests of a file share, on an empty log. */
  run(): Promise<RunningInstance>;
  /** Starts another instance; rejects for a target that the suite does not run itself. */
  start(options: TestServiceOptions): Promise<RunningInstance>;
}

/** The targets of this run: the instance at `CONFORMANCE_URL`, or all targets that the suite can start. */
export function targets(): readonly Target[] {
  const { CONFORMANCE_URL: url, CONFORMANCE_API_KEY: api, CONFORMANCE_CONTROL_API_KEY: control } = process.env;
  // The mock has no database, so there is no need to test it again with another PostgreSQL.
  if (url === undefined) return process.env.TEST_POSTGRES_BINARIES ? [serviceTarget] : [serviceTarget, mockTarget];
  return [externalTarget(url, { api: api ?? 'dev-api-key', control: control ?? 'dev-control-key' })];
}

const serviceTarget: Target = {
  name: 'service',
  external: false,
  differences: {},
  lacks: {},
  keys: testKeys,
  async run() {
    const { url: databaseUrl, drop } = await cloneDatabase();
    // The suite keeps the service's default limits and acts as one client.
    const config = { readsPerClient: 8, dashboardDir: builtDashboard };
    const { url, stop } = await runService({ databaseUrl, config });
    return { url, databaseUrl, stop: () => stop().then(drop) };
  },
  start: async (options) => ({ ...(await runService(options)), databaseUrl: options.databaseUrl }),
};

function externalTarget(url: string, keys: TargetKeys): Target {
  return {
    name: url,
    external: true,
    differences: {},
    lacks: {},
    keys,
    run: async () => ({ url: url.replace(/\/+$/, ''), databaseUrl: 'not known', stop: async () => undefined }),
    start: () => Promise.reject(new Error('an external target cannot be given a second instance')),
  };
}
