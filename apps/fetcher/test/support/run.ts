import {
  type EmulatorClock,
  type EmulatorConfig,
  readConfig as readEmulatorConfig,
  startEmulator,
} from '@shiplog/ci-emulator';
import type { CiExport, CiRequest, FetcherHealth } from '@shiplog/companions';
import type { RunningProgram } from '@shiplog/component';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import { listedEvents, TestClock, testDatabase, testKeys, testLogger, testService } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Adapter } from '../../src/adapter.ts';
import { readConfig } from '../../src/config.ts';
import { startFetcher } from '../../src/fetcher.ts';
import { Quiet } from './quiet.ts';

export interface RunOptions {
  /** Fetcher settings in addition to, or instead of, the usual ones. */
  readonly fetcher?: Readonly<Record<string, string>>;
  readonly emulator?: Readonly<Record<string, string>>;
  /** The adapters, if not all of the fetcher's. */
  readonly adapters?: readonly Adapter[];
  /** Settings of the service. */
  readonly service?: Parameters<typeof testService>[0]['config'];
}

/** Every run here is up to date after this number of cycles. */
const cyclesMax = 60;

interface RunUrls {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly emulatorUrl: string;
}

type Row = Pick<DeploymentEvent, 'deployment_id' | 'status' | 'happened_at'>;

/**
 * The real fetcher between the real service and the emulator. Fetcher and emulator share a clock that only the test
 * advances (CI emulator §11).
 */
export class Run {
  readonly clock: TestClock;
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly emulatorUrl: string;
  readonly #options: RunOptions;
  readonly #quiet: Quiet;
  #fetcher: RunningProgram | undefined;

  /** Starts service and emulator; all programs are stopped after the test. */
  static async start(options: RunOptions = {}): Promise<Run> {
    const { url: databaseUrl } = await testDatabase();
    const service = await testService({ databaseUrl, ...(options.service && { config: options.service }) });
    const clock = new TestClock();
    const emulatorClock: EmulatorClock = { kind: 'virtual', now: () => clock.now().getTime() };
    const config: EmulatorConfig = readEmulatorConfig({ PORT: '0', EMIT_STEP_MS: '0', ...options.emulator });
    const emulator = await startEmulator({ config, logger: testLogger(undefined), clock: emulatorClock });
    onTestFinished(emulator.stop);
    return new Run(options, clock, { databaseUrl, serviceUrl: service.url, emulatorUrl: emulator.url });
  }

  private constructor(options: RunOptions, clock: TestClock, urls: RunUrls) {
    this.#options = options;
    this.clock = clock;
    this.databaseUrl = urls.databaseUrl;
    this.serviceUrl = urls.serviceUrl;
    this.emulatorUrl = urls.emulatorUrl;
    this.#quiet = new Quiet();
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
    return {
      PORT: '0',
      DASHBOARD_API_BASE_URL: this.serviceUrl,
      API_KEY: testKeys.api,
      CONTROL_API_KEY: testKeys.control,
      GITHUB_BASE_URL: this.emulatorUrl,
      GITHUB_TOKEN: 'a-token',
      GITHUB_REPOS: 'demo-org/*',
      GITLAB_BASE_URL: this.emulatorUrl,
      GITLAB_TOKEN: 'a-token',
      GITLAB_PROJECTS: 'demo-group/**',
      CI_MAX_REQUESTS_PER_MINUTE: '800',
      INITIAL_LOOKBACK: '365d',
      ...this.#options.fetcher,
    };
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

  /** Calls the emulator's control API. */
  async ci<Body>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Body> {
    const response = await fetch(`${this.emulatorUrl}/_ci${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  async requests(query = ''): Promise<readonly CiRequest[]> {
    return (await this.ci<{ items: CiRequest[] }>(`/requests${query}`)).items;
  }

  async health(): Promise<FetcherHealth> {
    return (await (await fetch(`${this.fetcherUrl}/health`)).json()) as FetcherHealth;
  }

  /** The events in the log. */
  async log(): Promise<DeploymentEvent[]> {
    return [...(await listedEvents(this.serviceUrl)).values()];
  }

  /** The expected events of the log, computed without code of the fetcher. */
  async expected(): Promise<DeploymentEventIngest[]> {
    return (await this.ci<CiExport>('/export')).items;
  }
}

/** Deployment, status and instant of each row, sorted so that two sets of rows can be compared. */
export function rowsOf(events: readonly Row[]): string[] {
  return events
    .map(
      ({ deployment_id, status, happened_at }) => `${deployment_id} ${status} ${new Date(happened_at).toISOString()}`,
    )
    .sort();
}
