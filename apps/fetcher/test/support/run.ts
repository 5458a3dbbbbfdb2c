import type { CiRequest, FetcherHealth } from '@shiplog/companions';
import type { RunningProgram } from '@shiplog/component';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import {
  type EmptyService,
  listedEvents,
  readJson,
  TestClock,
  type TestServiceOptions,
  testDatabase,
  testKeys,
  testLogger,
  testService,
} from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { type TestEmulator, testEmulator } from '../../../ci-emulator/test/support/emulator.ts';
import type { Adapter } from '../../src/adapter.ts';
import { readConfig } from '../../src/config.ts';
import { startFetcher } from '../../src/fetcher.ts';
import { Quiet } from './quiet.ts';
import { aSeedOf } from './seeds.ts';

/** The service and the emulator that fetchers connect. */
export class Ends {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly emulator: TestEmulator;

  /** Starts both; they are stopped after the test. */
  static async open(settings: Readonly<Record<string, string>>, more: EndsOptions = {}): Promise<Ends> {
    const { clock, service = {} } = more;
    const { databaseUrl, url } = await (typeof service === 'function' ? service() : startedService(service));
    const emulatorClock = clock && { kind: 'virtual' as const, now: () => clock.now().getTime() };
    const emulator = await testEmulator({ CLOCK: 'real', ...settings }, null, emulatorClock);
    return new Ends({ databaseUrl, serviceUrl: url, emulator });
  }

  constructor({ databaseUrl, serviceUrl, emulator }: Pick<Ends, 'databaseUrl' | 'serviceUrl' | 'emulator'>) {
    this.databaseUrl = databaseUrl;
    this.serviceUrl = serviceUrl;
    this.emulator = emulator;
  }

  get emulatorUrl(): string {
    return this.emulator.url;
  }

  /** Calls the emulator's control API. */
  ci<Body>(...call: Parameters<TestEmulator['ci']>): Promise<Body> {
    return this.emulator.ci<Body>(...call);
  }

  /** The events in the log. */
  async log(): Promise<DeploymentEvent[]> {
    return [...(await listedEvents(this.serviceUrl)).values()];
  }

  /** The expected events of the log, computed without code of the fetcher. */
  async expected(): Promise<DeploymentEventIngest[]> {
    return this.emulator.exported();
  }
}

interface EndsOptions {
  /** Settings of the service, or a source of empty ones. */
  readonly service?: NonNullable<TestServiceOptions['config']> | (() => Promise<EmptyService>);
  readonly clock?: TestClock;
}

async function startedService(config: NonNullable<TestServiceOptions['config']>): Promise<EmptyService> {
  const { url: databaseUrl } = await testDatabase();
  return { databaseUrl, url: (await testService({ databaseUrl, config })).url };
}

/** The settings of a fetcher between these addresses, without what it polls. */
export function settingsBetween(serviceUrl: string, toolUrl: string): Readonly<Record<string, string>> {
  return {
    ...{ PORT: '0', DASHBOARD_API_BASE_URL: serviceUrl, API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control },
    ...{ GITHUB_BASE_URL: toolUrl, GITHUB_TOKEN: 'a-token', GITLAB_BASE_URL: toolUrl, GITLAB_TOKEN: 'a-token' },
    ...{ CI_MAX_REQUESTS_PER_MINUTE: '800', INITIAL_LOOKBACK: '365d' },
  };
}

/** What a fetcher of the demo polls. */
export const demoPlaces = { GITHUB_REPOS: 'demo-org/*', GITLAB_PROJECTS: 'demo-group/**' };

export interface RunOptions extends Pick<EndsOptions, 'service'> {
  /** Fetcher settings in addition to, or instead of, the usual ones. */
  readonly fetcher?: Readonly<Record<string, string>>;
  readonly emulator?: Readonly<Record<string, string>>;
  /** The adapters, if not all of the fetcher's. */
  readonly adapters?: readonly Adapter[];
}

/** Every run here is up to date after this number of cycles. */
const cyclesMax = 60;

type Row = Pick<DeploymentEvent, 'deployment_id' | 'status' | 'happened_at'>;

/**
 * The real fetcher between the real service and the emulator. Fetcher and emulator share a clock that only the test
 * advances (CI emulator §11).
 */
export class Run extends Ends {
  readonly clock: TestClock;
  readonly #options: RunOptions;
  readonly #quiet = new Quiet();
  #fetcher: RunningProgram | undefined;

  /** Starts service and emulator; all programs are stopped after the test. */
  static async start(options: RunOptions = {}): Promise<Run> {
    const clock = new TestClock();
    const ends = await Ends.open({ SEED_ON_STARTUP: 'true', ...options.emulator }, { ...options, clock });
    return new Run(options, clock, ends);
  }

  private constructor(options: RunOptions, clock: TestClock, ends: Ends) {
    super(ends);
    this.#options = options;
    this.clock = clock;
    this.#quiet.begin();
    onTestFinished(async () => {
      await this.stopFetcher();
      this.#quiet.end();
    });
  }

  get fetcherUrl(): string {
    if (!this.#fetcher) throw new Error('the fetcher is not started');
    return this.#fetcher.url;
  }

  async startFetcher(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#fetcher = await this.#start(settings);
  }

  /** Starts another fetcher on the same sources; `run.health` remains that of the first. The caller may stop it. */
  async startAnother(): Promise<RunningProgram> {
    const fetcher = await this.#start({});
    onTestFinished(fetcher.stop);
    return fetcher;
  }

  #start(settings: Readonly<Record<string, string>>): Promise<RunningProgram> {
    const config = readConfig({ ...this.fetcherSettings, ...settings }, this.#options.adapters);
    return startFetcher({ config, logger: testLogger(undefined), clock: this.clock, random: () => 0.5 });
  }

  /** The environment variables of each fetcher in this run. */
  get fetcherSettings(): Readonly<Record<string, string>> {
    return { ...settingsBetween(this.serviceUrl, this.emulatorUrl), ...demoPlaces, ...this.#options.fetcher };
  }

  async stopFetcher(): Promise<void> {
    await this.#fetcher?.stop();
    this.#fetcher = undefined;
  }

  /** Resolves when the fetcher waits for time to pass. */
  quiet(): Promise<void> {
    return this.#quiet.reached();
  }

  /** Lets this much time pass. Sleepers wake up at their instants, and time stops while anything is in progress. */
  async pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; ) {
      await this.quiet();
      const stepMs = Math.min(leftMs, ...this.clock.sleeping.map((sleepMs) => Math.max(0, sleepMs)));
      this.clock.advance(stepMs);
      leftMs -= stepMs;
    }
    await this.quiet();
  }

  /** Like `pass`, but a sleeper wakes up at most once per step, at its end: for days and weeks. */
  async leap(ms: number, stepMs: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      await this.quiet();
      this.clock.advance(Math.min(leftMs, stepMs));
    }
    await this.quiet();
  }

  /** Runs cycles until every source is healthy and no backfill is left. */
  async caughtUp(cycleMs = 30_000): Promise<void> {
    for (let cycle = 0; cycle < cyclesMax; cycle += 1) {
      await this.pass(cycleMs);
      const { sources } = await this.health();
      if (sources.every(({ backfill, last_outcome }) => backfill === null && last_outcome === 'ok')) return;
    }
    throw new Error(`not caught up: ${JSON.stringify(await this.health())}`);
  }

  requests(query = ''): Promise<readonly CiRequest[]> {
    return this.emulator.requests(query);
  }

  health(): Promise<FetcherHealth> {
    return readJson(`${this.fetcherUrl}/health`);
  }
}

/** The repository for emitted and created deployments. */
export const repository = 'acme/service-0';
export const project = 'acme/project-0';

export interface SmallRun extends RunOptions {
  /** The number of GitHub repositories; 0 disables GitHub. */
  readonly repos?: number;
  /** Projects of GitLab; 0: GitLab is off. */
  readonly projects?: number;
  /** Per repository and project. */
  readonly deployments?: number;
}

/** A run on generated repositories and projects of acme, which exist before the fetcher starts. */
export async function smallRun({ repos = 2, projects = 1, deployments = 3, ...options }: SmallRun = {}): Promise<Run> {
  const places = { GITHUB_REPOS: repos > 0 ? 'acme/*' : '', GITLAB_PROJECTS: projects > 0 ? 'acme/**' : '' };
  const run = await Run.start({
    ...options,
    emulator: { SEED_ON_STARTUP: 'false', REQUEST_LOG: '100000', ...options.emulator },
    fetcher: { ...places, ...options.fetcher },
  });
  await run.ci('/seed', { data: aSeedOf(repos, projects, deployments) });
  return run;
}

/** Deployment, status and instant of each row, sorted so that two sets of rows can be compared. */
export function rowsOf(events: readonly Row[]): string[] {
  return events
    .map(
      ({ deployment_id, status, happened_at }) => `${deployment_id} ${status} ${new Date(happened_at).toISOString()}`,
    )
    .sort();
}
