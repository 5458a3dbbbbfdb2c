import type { FetcherHealth } from '@shiplog/companions';
import { ProgramProcess, readJson, Watchers } from '@shiplog/testing';
import { type Asked, meddler } from './meddler.ts';
import { demoPlaces, Ends, settingsBetween } from './run.ts';
import { aSeedOf } from './seeds.ts';

/** When a fetcher is killed: at the first matching request, either before it or before its response. */
export interface Death {
  readonly at: (asked: Asked, nth: number) => boolean;
  readonly way: 'before' | 'after';
}

const smallPlaces = { GITHUB_REPOS: 'acme/*', GITLAB_PROJECTS: 'acme/**' };

/** Successive fetchers between the real service and the emulator; each may be killed at one of its requests. */
export class MortalRun extends Ends {
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
    const unlimited = { GITHUB_SIM_RATE_LIMIT: '0', GITHUB_SIM_SECONDARY_LIMIT: '0', GITLAB_SIM_RATE_LIMIT: '1000000' };
    const isSmall = deployments !== undefined;
    const ends = await Ends.open({ SEED_ON_STARTUP: String(!isSmall), ...unlimited });
    if (isSmall) await ends.ci('/seed', { data: aSeedOf(2, 1, deployments) });
    const run = new MortalRun(ends, isSmall ? smallPlaces : demoPlaces);
    const meddling = { asks: run.#asks, answered: run.#answered };
    run.#toService = await meddler(ends.serviceUrl, meddling);
    run.#toTool = await meddler(ends.emulatorUrl, meddling);
    return run;
  }

  private constructor(ends: Ends, places: Readonly<Record<string, string>>) {
    super(ends);
    this.#places = places;
  }

  /** Starts a fetcher that runs until it is killed or stopped. */
  live(death?: Death): ProgramProcess {
    this.#asked = [];
    this.#death = death;
    this.#doomed = undefined;
    this.#killed = false;
    this.#process = ProgramProcess.spawn('fetcher', {
      ...settingsBetween(this.#toService, this.#toTool),
      ...this.#places,
      POLL_INTERVAL_SECONDS: '1',
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

  /** Resolves when every source has run two cycles without a backfill: the second one has seen everything. */
  async caughtUp(life: ProgramProcess): Promise<void> {
    const url = await life.ready();
    const successes = new Map<string, Set<string>>();
    do {
      const { sources } = await readJson<FetcherHealth>(`${url}/health`);
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
