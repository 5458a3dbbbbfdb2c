import { startEmulator, VirtualClock } from '@shiplog/ci-emulator';
import type { SeedData } from '@shiplog/companions';
import { testLogger } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../ci-emulator/src/config.ts';
import { startsAt, TestEmulator } from '../../../ci-emulator/test/support/emulator.ts';
import type { Context, Source, SourceTimes, Step } from '../../src/adapter.ts';
import { gitlab } from '../../src/adapters/gitlab/adapter.ts';
import type { Change, Json } from '../../src/change.ts';
import { Budget } from '../../src/domain/budget.ts';
import { ToolConnection } from '../../src/tool/tool-connection.ts';

export const dayMs = 24 * 3_600_000;
export const never = new AbortController().signal;

export interface TrialOptions {
  readonly data?: SeedData;
  readonly places?: readonly string[];
  readonly token?: string;
  readonly requestsPerMinute?: number;
  readonly times?: Partial<SourceTimes>;
  readonly emulator?: Readonly<Record<string, string>>;
}

/** GitLab sources on an emulator with one clock, and the log that their steps fill. */
export class GitlabTrial {
  readonly emulator: TestEmulator;
  readonly clock: VirtualClock;
  /** By `id status`, the key that identifies a change in the log. */
  readonly log = new Map<string, Change>();
  readonly unknown: string[] = [];
  /** The memory after each step; the next process begins with the last one. */
  readonly memories: Json[] = [];
  readonly #options: TrialOptions;

  static async start(options: TrialOptions = {}): Promise<GitlabTrial> {
    const clock = new VirtualClock(Date.parse(startsAt));
    const environment = { PORT: '0', SEED_ON_STARTUP: options.data ? 'false' : 'true', ...options.emulator };
    const emulator = await startEmulator({ config: readConfig(environment), logger: testLogger(undefined), clock });
    onTestFinished(emulator.stop);
    const tested = new TestEmulator(emulator);
    if (options.data) await tested.seed({ data: options.data });
    return new GitlabTrial(tested, clock, options);
  }

  private constructor(emulator: TestEmulator, clock: VirtualClock, options: TrialOptions) {
    this.emulator = emulator;
    this.clock = clock;
    this.#options = options;
  }

  /** A trial on the same emulator with another log. */
  twin(): GitlabTrial {
    return new GitlabTrial(this.emulator, this.clock, this.#options);
  }

  /** A new process. */
  source(): Source {
    return gitlab.open(this.context());
  }

  context(): Context<Record<string, unknown>> {
    const { places = ['demo-group/**'], token = 'a-token', requestsPerMinute = 800, times } = this.#options;
    const sleep = async (ms: number) => this.clock.moveTo(this.clock.now() + ms);
    const clock = { now: () => new Date(this.clock.now()), sleep };
    const baseUrl = this.emulator.url;
    const budget = new Budget({ percent: 100, quota: 0 });
    const connection = new ToolConnection({ baseUrl, clock, requestsPerMinute, budget });
    return {
      id: 'gitlab',
      values: {},
      baseUrl,
      token,
      places,
      times: {
        watchMaxAgeMs: 35 * dayMs,
        backfillMaxAgeMs: 7 * dayMs,
        discoveryMs: 3_600_000,
        backfillDepth: 0,
        ...times,
      },
      http: (tool) => connection.http(tool),
      clock,
      log: testLogger(undefined),
      unknownStatus: (status) => this.unknown.push(status),
    };
  }

  get memory(): Json {
    return this.memories.at(-1) ?? null;
  }

  /** The first cycle of a process without a cursor. */
  async first(source: Source = this.source()): Promise<Source> {
    this.memories.push(source.begin(new Date(this.clock.now() - 7 * dayMs)));
    return this.cycle(source);
  }

  /** A cycle, followed by the backfill. */
  async cycle(source: Source): Promise<Source> {
    await this.settle(source.poll(this.memory, { signal: never }));
    await this.settle(source.backfill(this.memory, never));
    return source;
  }

  /** Processes steps as the loop does, up to this number. */
  async settle(steps: AsyncIterable<Step>, stepsMax = Number.POSITIVE_INFINITY): Promise<void> {
    let taken = 0;
    if (stepsMax === 0) return;
    for await (const { changes, memory } of steps) {
      for (const change of changes) this.#post(change);
      this.memories.push(JSON.parse(JSON.stringify(memory)));
      taken += 1;
      if (taken === stepsMax) return;
    }
  }

  /** The rows of the log as ingest accepts them, oldest first. */
  get rows() {
    const rows = [...this.log.values()].map(({ id, status, at, parents, vars }) => ({
      deployment_id: id,
      service: vars.name,
      environment: vars.environment,
      status,
      happened_at: at,
      version: vars.version,
      ...(vars.run_url && { run_url: vars.run_url, run_number: vars.run_number }),
      actor: vars.actor,
      ref: vars.ref,
      sha: vars.sha,
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

  #seen = 0;

  #post(change: Change): void {
    const ends: readonly string[] = ['failure', 'cancelled', 'rejected'];
    const key = `${change.id} ${ends.includes(change.status) ? 'ended' : change.status}`;
    if (!this.log.has(key)) this.log.set(key, change);
  }
}

interface Row {
  readonly deployment_id: string;
  readonly status: string;
  readonly happened_at: string;
}

function inOrder(one: Row, other: Row): number {
  const key = (row: Row) => `${new Date(row.happened_at).toISOString()} ${row.deployment_id} ${row.status}`;
  return key(one) < key(other) ? -1 : 1;
}
