import type { CiRequest, SeedData } from '@shiplog/companions';
import { readSettings } from '@shiplog/server';
import { testLogger } from '@shiplog/testing';
import { startsAt, type TestEmulator, testEmulator } from '../../../ci-emulator/test/support/emulator.ts';
import type { Adapter, Context, Source, SourceTimes, Step } from '../../src/adapter.ts';
import { githubActions } from '../../src/adapters/github/adapter.ts';
import { gitlab } from '../../src/adapters/gitlab/adapter.ts';
import type { Change, Json } from '../../src/change.ts';
import { Budget } from '../../src/domain/budget.ts';
import { ToolConnection } from '../../src/tool/tool-connection.ts';
import { never, PassingClock } from './asked-tool.ts';
import { rowsOf } from './run.ts';
import { dayMs, hourMs } from './seeds.ts';

const cycleMs = 30_000;

export interface SourceOptions {
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
  readonly #kinds = new Set<string>();

  add(change: Change): void {
    const { id, status, at, identity } = change;
    const kind = `${id} ${['failure', 'cancelled', 'rejected'].includes(status) ? 'unsuccessful' : status}`;
    const key = `${kind} ${Date.parse(at)}`;
    if (identity === 'status' ? this.#kinds.has(kind) : this.rows.has(key)) return;
    this.#kinds.add(kind);
    this.rows.set(key, change);
  }

  /** Replaces the rows by these. */
  forget(rows: readonly Change[] = []): void {
    this.rows.clear();
    this.#kinds.clear();
    for (const row of rows) this.add(row);
  }

  /** Deployment, status and instant of each row. */
  get told(): string[] {
    const rows = [...this.rows.values()].filter(({ vars }) => vars.transient !== 'true');
    return rowsOf(rows.map(({ id, status, at }) => ({ deployment_id: id, status, happened_at: at })));
  }
}

/** Sources of a tool and the emulator on the same clock, and the log that the steps of the sources fill. */
abstract class SourceRun {
  readonly emulator: TestEmulator;
  readonly clock: PassingClock;
  readonly log = new Log();
  /** Statuses that no adapter knows. */
  readonly unknown: string[] = [];
  /** The memory of each step, with the rows in the log at that time. */
  readonly steps: { readonly memory: Json; readonly rows: readonly Change[] }[] = [];
  memory: Json = null;

  constructor(emulator: TestEmulator, clock: PassingClock) {
    this.emulator = emulator;
    this.clock = clock;
  }

  get nowMs(): number {
    return this.clock.now().getTime();
  }

  /** Takes steps as the loop does, up to this number. */
  async take(steps: AsyncIterable<Step>, max = Number.POSITIVE_INFINITY): Promise<void> {
    let taken = 0;
    if (max === 0) return;
    for await (const { changes, memory } of steps) {
      for (const change of changes) this.log.add(change);
      this.memory = this.kept(memory);
      this.steps.push({ memory: this.memory, rows: [...this.log.rows.values()] });
      taken += 1;
      if (taken >= max) return;
    }
  }

  /** The memory that a step leaves. */
  protected kept(memory: Json): Json {
    return memory;
  }

  /** What the adapter of this tool gets to open a source, and the connection behind it. */
  protected contextOf(
    { kind, settings }: { readonly kind: string; readonly settings: Parameters<typeof readSettings>[0] },
    { places = [], times, settings: given = {}, requestsPerMinute = 800 }: SourceOptions,
  ): { readonly context: Context<Record<string, unknown>>; readonly connection: ToolConnection } {
    const { clock, emulator } = this;
    const baseUrl = emulator.url;
    const budget = new Budget({ percent: Number(given.GITHUB_RATE_LIMIT_BUDGET_PCT ?? 100), quota: 0 });
    const connection = new ToolConnection({ baseUrl, clock, requestsPerMinute, budget });
    const context = {
      ...{ id: kind, values: readSettings(settings, given), baseUrl, token: 'a-token', places, clock },
      log: testLogger(undefined),
      times: {
        watchMaxAgeMs: 35 * dayMs,
        backfillMaxAgeMs: 365 * dayMs,
        discoveryMs: hourMs,
        backfillDepth: 0,
        ...times,
      },
      http: (tool: Parameters<ToolConnection['http']>[0]) => connection.http(tool),
      unknownStatus: (status: string) => void this.unknown.push(status),
    };
    return { context, connection };
  }
}

/** An emulator on a clock, with these data or, without them, with those of the demo. */
async function emulated(clock: PassingClock, data: SeedData | undefined, settings: SourceOptions['emulator']) {
  const usual = { SEED_ON_STARTUP: String(!data), REQUEST_LOG: '100000', GITHUB_SIM_SECONDARY_LIMIT: '0' };
  return testEmulator({ ...usual, ...settings }, data ?? null, { kind: 'virtual', now: () => clock.now().getTime() });
}

/** A GitHub source; cycles run as in the loop. */
export class GithubRun extends SourceRun {
  readonly #options: SourceOptions;
  source: Source;
  connection: ToolConnection;

  static async start(data: SeedData, options: SourceOptions = {}): Promise<GithubRun> {
    const clock = new PassingClock();
    return new GithubRun(await emulated(clock, data, options.emulator), clock, options);
  }

  constructor(emulator: TestEmulator, clock: PassingClock, options: SourceOptions) {
    super(emulator, clock);
    this.#options = { places: ['acme/*'], ...options };
    [this.source, this.connection] = this.#open();
    this.memory = this.source.begin(new Date(this.nowMs - 365 * dayMs));
  }

  #open(): [Source, ToolConnection] {
    const { context, connection } = this.contextOf(githubActions as never, this.#options);
    return [(githubActions as Adapter<never>).open(context as never), connection];
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
    await this.take(this.source.poll(this.memory, { signal, ...(only && { only: new Set(only) }) }));
    if (!only) this.connection.cycleOver();
  }

  /** Runs the backfill until the next cycle is due, for at most this number of steps. */
  async backfill(steps = Number.POSITIVE_INFINITY): Promise<void> {
    this.connection.backfillUntil(this.nowMs + cycleMs);
    try {
      await this.take(this.source.backfill(this.memory, AbortSignal.timeout(100_000)), steps);
    } finally {
      this.connection.backfillUntil(undefined);
    }
  }

  ci<Body>(...call: Parameters<TestEmulator['ci']>): Promise<Body> {
    return this.emulator.ci<Body>(...call);
  }

  async deploy(repository: string, fields: object = {}): Promise<number> {
    return Number((await this.emulator.deploy({ repository, environment: 'dev', ...fields })).id);
  }

  move(id: number, state: string): Promise<unknown> {
    return this.ci(`/deployments/${id}/statuses`, { state });
  }

  async expected(): Promise<string[]> {
    return rowsOf(await this.emulator.exported());
  }

  /** The requests to GitHub since an instant. */
  requests(sinceMs = 0): Promise<readonly CiRequest[]> {
    return this.emulator.requests(`?since=${new Date(sinceMs).toISOString()}`);
  }
}

export interface GitlabOptions extends SourceOptions {
  /** By default those of the demo. */
  readonly data?: SeedData;
}

/** GitLab sources, which share a memory and a log. */
export class GitlabRun extends SourceRun {
  readonly #options: GitlabOptions;
  #seen = 0;

  static async start(options: GitlabOptions = {}): Promise<GitlabRun> {
    const clock = new PassingClock(Date.parse(startsAt));
    return new GitlabRun(await emulated(clock, options.data, options.emulator), clock, options);
  }

  private constructor(emulator: TestEmulator, clock: PassingClock, options: GitlabOptions) {
    super(emulator, clock);
    const times = { backfillMaxAgeMs: 7 * dayMs, ...options.times };
    this.#options = { places: ['demo-group/**'], ...options, times };
  }

  /** A cursor stores the memory as JSON. */
  protected override kept(memory: Json): Json {
    return JSON.parse(JSON.stringify(memory)) as Json;
  }

  /** A run on the same emulator with another log. */
  twin(): GitlabRun {
    return new GitlabRun(this.emulator, this.clock, this.#options);
  }

  /** A new process. */
  source(): Source {
    return gitlab.open(this.context() as never);
  }

  /** A new process whose backfill goes back this far. */
  begun(days = 30): Source {
    const source = this.source();
    this.memory = source.begin(new Date(this.nowMs - days * dayMs));
    return source;
  }

  context(): Context<Record<string, unknown>> {
    return this.contextOf(gitlab as never, this.#options).context;
  }

  /** The first cycle of a process without a cursor. */
  first(): Promise<Source> {
    return this.cycle(this.begun(7));
  }

  /** A cycle, followed by the backfill. */
  async cycle(source: Source): Promise<Source> {
    await this.take(source.poll(this.memory, { signal: never }));
    await this.take(source.backfill(this.memory, never));
    return source;
  }

  /** The rows of the log as ingest accepts them, oldest first. */
  get rows() {
    const rows = [...this.log.rows.values()].map(({ id, status, at, parents, vars }) => ({
      ...{ deployment_id: id, service: vars.name, environment: vars.environment, status, happened_at: at },
      ...{ version: vars.version, actor: vars.actor, ref: vars.ref, sha: vars.sha },
      ...(vars.run_url && { run_url: vars.run_url, run_number: vars.run_number }),
      ...(parents.length > 0 && { parent_deployments: parents }),
    }));
    return rows.sort(inOrder);
  }

  /** The events that the emulator's data implies, in the same order. */
  async expected() {
    const exported = await this.emulator.exported();
    return exported.filter(({ deployment_id }) => deployment_id.startsWith('gl-')).sort(inOrder);
  }

  /** The log as `dev success 08:15`, oldest first. */
  get told(): string[] {
    return this.rows.map((row) => `${row.environment} ${row.status} ${row.happened_at.slice(11, 16)}`);
  }

  /** The paths requested since the last call, without the part before the project. */
  async asked(): Promise<string[]> {
    const all = await this.emulator.requests('?path=/api/**');
    const fresh = all.slice(this.#seen).map(({ path, query }) => `${path}${query ? `?${query}` : ''}`);
    this.#seen = all.length;
    return fresh;
  }
}

type Row = Readonly<Record<'deployment_id' | 'status' | 'happened_at', string>>;

function inOrder(one: Row, other: Row): number {
  const key = (row: Row) => `${new Date(row.happened_at).toISOString()} ${row.deployment_id} ${row.status}`;
  return key(one) < key(other) ? -1 : 1;
}
