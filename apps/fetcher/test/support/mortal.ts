import { readConfig, startEmulator } from '@shiplog/ci-emulator';
import type { CiExport, FetcherHealth } from '@shiplog/companions';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import {
  listedEvents,
  ProgramProcess,
  testDatabase,
  testKeys,
  testLogger,
  testService,
  Watchers,
} from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { type Asked, meddler } from './meddler.ts';
import { aSeedOf } from './run-data.ts';

/** When a fetcher is killed: at the first matching request, either before it or before its response. */
export interface Death {
  readonly at: (asked: Asked, nth: number) => boolean;
  readonly way: 'before' | 'after';
}

const demo = { GITHUB_REPOS: 'demo-org/*', GITLAB_PROJECTS: 'demo-group/**' };
const acme = { GITHUB_REPOS: 'acme/*', GITLAB_PROJECTS: 'acme/**' };

/** Successive fetchers between the real service and the emulator; each may be killed at one of its requests. */
export class MortalRun {
  readonly serviceUrl: string;
  readonly emulatorUrl: string;
  /** Requests by all processes. */
  requests = 0;
  readonly #places: Readonly<Record<string, string>>;
  readonly #watchers = new Watchers();
  /** Requests by the current process. */
  #asked: Asked[] = [];
  #death: Death | undefined;
  #doomed: Asked | undefined;
  #killed = false;
  #process: ProgramProcess | undefined;
  #toService = '';
  #toTool = '';

  /** Starts on the demo data, or on this many deployments in each of a few places. */
  static async start({ deployments }: { readonly deployments?: number } = {}): Promise<MortalRun> {
    const service = await testService({ databaseUrl: (await testDatabase()).url });
    const unlimited = { GITHUB_SIM_RATE_LIMIT: '0', GITHUB_SIM_SECONDARY_LIMIT: '0', GITLAB_SIM_RATE_LIMIT: '1000000' };
    const isSmall = deployments !== undefined;
    const environment = { PORT: '0', EMIT_STEP_MS: '0', SEED_ON_STARTUP: String(!isSmall), ...unlimited };
    const started = await startEmulator({ config: readConfig(environment), logger: testLogger(undefined) });
    onTestFinished(started.stop);
    const run = new MortalRun(service.url, started.url, isSmall ? acme : demo);
    if (isSmall) await run.ci('/seed', { data: aSeedOf(2, 1, deployments) });
    const meddling = { asks: run.#asks, answered: run.#answered };
    run.#toService = await meddler(service.url, meddling);
    run.#toTool = await meddler(started.url, meddling);
    return run;
  }

  private constructor(serviceUrl: string, emulatorUrl: string, places: Readonly<Record<string, string>>) {
    this.serviceUrl = serviceUrl;
    this.emulatorUrl = emulatorUrl;
    this.#places = places;
  }

  /** Starts a fetcher that runs until it is killed or stopped. */
  live(death?: Death): ProgramProcess {
    this.#asked = [];
    this.#death = death;
    this.#doomed = undefined;
    this.#killed = false;
    this.#process = ProgramProcess.spawn('fetcher', {
      PORT: '0',
      DASHBOARD_API_BASE_URL: this.#toService,
      API_KEY: testKeys.api,
      CONTROL_API_KEY: testKeys.control,
      GITHUB_BASE_URL: this.#toTool,
      GITHUB_TOKEN: 'a-token',
      GITLAB_BASE_URL: this.#toTool,
      GITLAB_TOKEN: 'a-token',
      INITIAL_LOOKBACK: '365d',
      POLL_INTERVAL_SECONDS: '1',
      CI_MAX_REQUESTS_PER_MINUTE: '800',
      ...this.#places,
    });
    return this.#process;
  }

  /** Starts a fetcher; resolves with the request at which it was killed. */
  async dies(death: Death): Promise<Asked> {
    const life = this.live(death);
    await life.exited();
    if (!this.#doomed || !this.#killed) throw new Error(`the process ended without being killed:\n${life.output}`);
    return this.#doomed;
  }

  /** Resolves when the current process has sent this many matching requests. */
  came(count: number, fits: (asked: Asked) => boolean): Promise<void> {
    return this.#watchers.until(() => this.#asked.filter(fits).length >= count);
  }

  /** Calls the emulator's control API. */
  async ci<Body>(path: string, body?: object): Promise<Body> {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${this.emulatorUrl}/_ci${path}`, init);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }

  async log(): Promise<DeploymentEvent[]> {
    return [...(await listedEvents(this.serviceUrl)).values()];
  }

  async expected(): Promise<DeploymentEventIngest[]> {
    return (await this.ci<CiExport>('/export')).items;
  }

  /** Resolves when every source has run two cycles without a backfill, because the second cycle has seen everything. */
  async caughtUp(life: ProgramProcess): Promise<void> {
    const url = await life.ready();
    const successes = new Map<string, Set<string>>();
    do {
      const { sources } = (await (await fetch(`${url}/health`)).json()) as FetcherHealth;
      for (const { id, backfill, last_success_at } of sources) {
        const seen = successes.get(id) ?? new Set();
        if (backfill === null && last_success_at !== null) seen.add(last_success_at);
        successes.set(id, seen);
      }
    } while ([...successes.values()].some((seen) => seen.size < 3));
  }

  readonly #asks = async (asked: Asked): Promise<boolean> => {
    if (this.#killed) return false;
    this.requests += 1;
    const nth = this.#asked.push(asked);
    this.#watchers.changed();
    if (this.#doomed || !this.#death?.at(asked, nth)) return true;
    this.#doomed = asked;
    if (this.#death.way === 'after') return true;
    await this.#kill();
    return false;
  };

  readonly #answered = async (asked: Asked): Promise<'none' | 'whole'> => {
    if (asked === this.#doomed) await this.#kill();
    return this.#killed ? 'none' : 'whole';
  };

  async #kill(): Promise<void> {
    this.#killed = true;
    await this.#process?.kill();
  }
}
