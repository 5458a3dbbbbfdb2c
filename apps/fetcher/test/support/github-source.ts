import { type EmulatorClock, readConfig as readEmulatorConfig, startEmulator } from '@shiplog/ci-emulator';
import type { CiDeploymentCreated, CiExport, CiRequest, SeedData, SeedDeployment, SeedRepo } from '@shiplog/companions';
import { readSettings } from '@shiplog/server';
import { testLogger } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Adapter, Context, Source, SourceTimes, Step } from '../../src/adapter.ts';
import { githubActions } from '../../src/adapters/github/adapter.ts';
import type { Change, Json } from '../../src/change.ts';
import { Budget } from '../../src/domain/budget.ts';
import { ToolConnection } from '../../src/tool/tool-connection.ts';
import { PassingClock } from './asked-tool.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
const cycleMs = 30_000;
const unsuccessful = ['failure', 'cancelled', 'rejected'];

export interface RunOptions {
  readonly places?: readonly string[];
  readonly times?: Partial<SourceTimes>;
  /** Environment variables of the adapter. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly emulator?: Readonly<Record<string, string>>;
  readonly requestsPerMinute?: number;
}

/** The resulting log: the first row for each status and instant of a deployment, as the poster ensures. */
class Log {
  readonly rows = new Map<string, Change>();
  readonly #classes = new Set<string>();

  add(change: Change): void {
    const kind = `${change.id} ${unsuccessful.includes(change.status) ? 'unsuccessful' : change.status}`;
    const key = `${kind} ${Date.parse(change.at)}`;
    if (change.identity === 'status' ? this.#classes.has(kind) : this.rows.has(key)) return;
    this.#classes.add(kind);
    this.rows.set(key, change);
  }

  /** Replaces the rows by these. */
  forget(rows: readonly Change[]): void {
    this.rows.clear();
    this.#classes.clear();
    for (const row of rows) this.add(row);
  }

  /** Deployment, status and instant of each row. */
  get told(): string[] {
    return [...this.rows.values()]
      .filter(({ vars }) => vars.transient !== 'true')
      .map(({ id, status, at }) => `${id} ${status} ${new Date(at).toISOString()}`)
      .sort();
  }
}

/** A GitHub source and the emulator on the same clock; cycles run as in the loop. */
export class GithubRun {
  readonly clock = new PassingClock();
  readonly log = new Log();
  /** The memory of each step, with the rows in the log at that time. */
  readonly steps: { readonly memory: Json; readonly rows: readonly Change[] }[] = [];
  readonly url: string;
  readonly #options: RunOptions;
  source: Source;
  connection: ToolConnection;
  memory: Json;

  static async start(data: SeedData, options: RunOptions = {}): Promise<GithubRun> {
    const clock = new PassingClock();
    const emulatorClock: EmulatorClock = { kind: 'virtual', now: () => clock.now().getTime() };
    const settings = { PORT: '0', SEED_ON_STARTUP: 'false', EMIT_STEP_MS: '0', REQUEST_LOG: '100000' };
    const config = readEmulatorConfig({ ...settings, GITHUB_SIM_SECONDARY_LIMIT: '0', ...options.emulator });
    const emulator = await startEmulator({ config, logger: testLogger(undefined), clock: emulatorClock });
    onTestFinished(emulator.stop);
    const run = new GithubRun(emulator.url, clock, options);
    await run.ci('/seed', { data });
    return run;
  }

  constructor(url: string, clock: PassingClock, options: RunOptions) {
    this.url = url;
    this.clock = clock;
    this.#options = options;
    [this.source, this.connection] = this.#open();
    this.memory = this.source.begin(new Date(this.nowMs - 365 * dayMs));
  }

  get nowMs(): number {
    return this.clock.now().getTime();
  }

  /** Continues as another process with the given memory. */
  restart(memory: Json = this.memory, rows?: readonly Change[]): void {
    // A cursor stores the memory as JSON.
    this.memory = JSON.parse(JSON.stringify(memory)) as Json;
    [this.source, this.connection] = this.#open();
    if (rows) this.log.forget(rows);
  }

  /** Runs cycles, each followed by the rest of the backfill. */
  async cycles(count = 1, betweenMs = cycleMs): Promise<void> {
    for (let cycle = 0; cycle < count; cycle += 1) {
      await this.poll();
      await this.backfill();
      this.clock.advance(betweenMs);
    }
  }

  async poll(only?: readonly string[]): Promise<void> {
    const signal = AbortSignal.timeout(100_000);
    await this.#take(this.source.poll(this.memory, { signal, ...(only && { only: new Set(only) }) }));
    if (!only) this.connection.cycleOver();
  }

  /** Runs the backfill until the next cycle is due, for at most this number of steps. */
  async backfill(steps = Number.POSITIVE_INFINITY): Promise<void> {
    this.connection.backfillUntil(this.nowMs + cycleMs);
    try {
      await this.#take(this.source.backfill(this.memory, AbortSignal.timeout(100_000)), steps);
    } finally {
      this.connection.backfillUntil(undefined);
    }
  }

  /** Calls the emulator's control API. */
  async ci<Body>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Body> {
    const response = await fetch(`${this.url}/_ci${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  async deploy(repository: string, fields: object = {}): Promise<number> {
    const body = { repository, environment: 'dev', ...fields };
    return Number((await this.ci<CiDeploymentCreated>('/deployments', body)).id);
  }

  move(id: number, state: string): Promise<unknown> {
    return this.ci(`/deployments/${id}/statuses`, { state });
  }

  async expected(): Promise<string[]> {
    const { items } = await this.ci<CiExport>('/export');
    return items
      .map(({ deployment_id: id, status, happened_at: at }) => `${id} ${status} ${new Date(at).toISOString()}`)
      .sort();
  }

  /** The requests to GitHub since an instant. */
  async requests(sinceMs = 0): Promise<readonly CiRequest[]> {
    const since = new Date(sinceMs).toISOString();
    return (await this.ci<{ items: CiRequest[] }>(`/requests?since=${since}`)).items;
  }

  async #take(steps: AsyncIterable<Step>, max = Number.POSITIVE_INFINITY): Promise<void> {
    let taken = 0;
    for await (const { changes, memory } of steps) {
      for (const change of changes) this.log.add(change);
      this.memory = memory;
      this.steps.push({ memory, rows: [...this.log.rows.values()] });
      taken += 1;
      if (taken >= max) return;
    }
  }

  #open(): [Source, ToolConnection] {
    const { places = ['acme/*'], times, settings = {}, requestsPerMinute = 800 } = this.#options;
    const values = readSettings(githubActions.settings, settings);
    const { clock, url } = this;
    const budget = new Budget({ percent: Number(settings.GITHUB_RATE_LIMIT_BUDGET_PCT ?? 100), quota: 0 });
    const connection = new ToolConnection({ baseUrl: url, clock, requestsPerMinute, budget });
    const context: Context = {
      ...{ id: 'github-actions', values, baseUrl: url, token: 'a-token', places, clock, log: testLogger(undefined) },
      times: { ...usualTimes, ...times },
      http: (tool) => connection.http(tool),
      unknownStatus: () => undefined,
    };
    return [(githubActions as Adapter<never>).open(context as never), connection];
  }
}

const usualTimes: SourceTimes = {
  watchMaxAgeMs: 35 * dayMs,
  backfillMaxAgeMs: 365 * dayMs,
  discoveryMs: hourMs,
  backfillDepth: 0,
};

/** A repository of acme outside Actions: its deployments are a minute apart, the newest this many minutes old. */
export function aRepo(
  repo: string,
  count: number,
  { firstId = 1000, ageMinutes = 60, environments = ['dev', 'prod'] } = {},
): SeedRepo {
  const deployments = Array.from({ length: count }, (_, index): SeedDeployment => {
    const elapsed = ageMinutes + count - 1 - index;
    const id = firstId + index;
    return {
      ...{ id, sha: 'a'.repeat(40), ref: 'main', creator: 'alice', elapsed_minutes: elapsed },
      environment: environments[index % environments.length] ?? 'dev',
      statuses: [
        { id: id * 10, state: 'in_progress', elapsed_minutes: elapsed },
        { id: id * 10 + 1, state: index % 5 === 0 ? 'failure' : 'success', elapsed_minutes: elapsed },
      ],
    };
  });
  return { owner: 'acme', repo, workflows: [], environments: [...environments], deployments };
}

export function aSeed(...repos: readonly SeedRepo[]): SeedData {
  return { repos: [...repos], projects: [] };
}
