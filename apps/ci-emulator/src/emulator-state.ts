import { resolve } from 'node:path';
import type { CiSeedRequest, CiStatus } from '@shiplog/companions';
import { emulatorLimits } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { EmulatorClock } from './clock.ts';
import { appFolder, type EmulatorConfig } from './config.ts';
import { checkedDataset, DatasetError, datasetNames, faultyDatasets, readDataset } from './datasets.ts';
import { Deployments } from './deployments.ts';
import { plant } from './domain/seed.ts';
import { Emission } from './emission.ts';
import { GithubSurface } from './github/surface.ts';
import { GitlabSurface } from './gitlab/surface.ts';
import { Issuers } from './issuers/issuers.ts';
import { Outages } from './outages.ts';
import { Random } from './random.ts';
import { Store } from './store.ts';
import { Faults } from './surface/faults.ts';
import { RequestLog } from './surface/request-log.ts';
import type { Surface } from './surface/surface.ts';
import { Webhooks } from './webhooks/webhooks.ts';

/** The whole state of the emulator (CI emulator §5). */
export class EmulatorState {
  readonly clock: EmulatorClock;
  readonly store = new Store();
  readonly issuers = new Issuers(this.store);
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly github: GithubSurface;
  readonly gitlab: GitlabSurface;
  readonly deployments: Deployments;
  readonly emission: Emission;
  readonly outages: Outages;
  readonly webhooks: Webhooks;
  /** The tool that received the latest request. */
  lastAsked: Surface | undefined;
  readonly #config: EmulatorConfig;
  /** Requests and real-time events have separate random generators, so that neither affects the other. */
  readonly #requestRandom: Random;
  readonly #eventRandom: Random;
  #seed: number;
  #dataset = '';
  #seededAt: number | undefined;

  constructor(config: EmulatorConfig, clock: EmulatorClock) {
    this.clock = clock;
    this.#config = config;
    this.#seed = config.seed;
    this.#requestRandom = new Random(config.seed);
    this.#eventRandom = new Random(config.seed + 1);
    const { store } = this;
    const { requireToken } = config;
    this.faults = new Faults(this.#requestRandom);
    this.log = new RequestLog(config.requestLog);
    this.github = new GithubSurface(
      store,
      { requireToken, rateLimit: config.githubRateLimit, secondaryLimit: config.githubSecondaryLimit },
      this.#requestRandom,
    );
    this.gitlab = new GitlabSurface(store, { requireToken, rateLimit: config.gitlabRateLimit });
    this.deployments = new Deployments({ store, clock, random: this.#eventRandom });
    this.outages = new Outages({ store, clock, random: this.#eventRandom });
    this.emission = new Emission({
      store,
      deployments: this.deployments,
      random: this.#eventRandom,
      intervalMs: config.emitIntervalMs,
      stepMs: config.emitStepMs,
    });
    this.webhooks = new Webhooks({ clock, random: this.#eventRandom, hosts: config.webhookHosts.split(',') });
    store.onChange = (change) => this.webhooks.tell(change);
  }

  /** The names that `seed` accepts. */
  get datasets(): readonly string[] {
    return datasetNames(this.#folder);
  }

  /** A sentence for each invalid file of the folder. */
  get datasetFaults(): string[] {
    return faultyDatasets(this.#folder).map(([name, { message }]) => `the dataset ${name} is left out: it ${message}`);
  }

  /**
   * Adds a dataset (CI emulator §5.2); a dataset with errors changes nothing.
   * @throws Problem 422
   */
  seed({ dataset, count, reset, seed = this.#seed, anchor, data }: CiSeedRequest): void {
    const name = dataset ?? (data ? 'data' : 'demo');
    const read = () => {
      if (data) return checkedDataset(data);
      return readDataset({ name, folder: this.#folder, seed, count: count ?? emulatorLimits.randomServices });
    };
    const content = orInvalid(read, data ? '/data' : undefined);
    if (reset) this.clear();
    this.#reseed(seed);
    const now = this.clock.now();
    const anchorText = anchor ?? content.anchor;
    plant(this.store, content, { anchorMs: anchorText === undefined ? now : Date.parse(anchorText), now });
    this.#dataset = name;
    this.#seededAt = now;
  }

  /** Clears store, request log and deliveries, and stops emission. Keeps faults, webhooks, clock and rate limits. */
  clear(): void {
    this.emission.reset();
    this.store.clear();
    this.log.clear();
    this.webhooks.clearDeliveries();
    this.#dataset = '';
    this.#seededAt = undefined;
  }

  get status(): CiStatus {
    const { store, clock } = this;
    const now = clock.now();
    const places = [...store.repositories, ...store.projects].filter(({ removedAt }) => removedAt === undefined);
    const sum = (count: (place: (typeof places)[number]) => number) =>
      places.reduce((total, place) => total + count(place), 0);
    const deploymentsOf = (place: (typeof places)[number]) =>
      [...place.deployments.values()].filter(({ removedAt }) => removedAt === undefined);
    const rate = this.lastAsked?.lastRate(now);
    return {
      dataset: this.#dataset,
      repos: places.length,
      deployments: sum((place) => deploymentsOf(place).length),
      // GitLab stores only the latest status of a deployment.
      statuses: sum((place) =>
        deploymentsOf(place).reduce((total, one) => total + ('statuses' in one ? one.statuses.length : 1), 0),
      ),
      workflows: sum((place) => (place.tool === 'github' ? place.workflows : place.pipelines).length),
      environments: sum((place) => place.environments.length),
      emitting: this.emission.state.emitting,
      seeded_at: this.#seededAt === undefined ? null : new Date(this.#seededAt).toISOString(),
      seed: this.#seed,
      now: new Date(now).toISOString(),
      rate_limit: rate
        ? { limit: rate.limit, remaining: rate.remaining, used: rate.used, reset: Math.ceil(rate.resetMs / 1000) }
        : null,
      faults: this.faults.active(now),
      webhooks: this.webhooks.count,
      requests: this.log.counts,
    };
  }

  stop(): void {
    this.emission.stop();
    this.webhooks.stop();
  }

  get #folder(): string {
    return resolve(appFolder, this.#config.scenariosDir);
  }

  #reseed(seed: number): void {
    if (seed === this.#seed) return;
    this.#seed = seed;
    this.#requestRandom.seed(seed);
    this.#eventRandom.seed(seed + 1);
  }
}

/** Errors of a dataset in a request body have pointers; errors of a dataset file become one sentence. */
function orInvalid<Value>(read: () => Value, base: string | undefined): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const errors: FieldError[] =
      base === undefined
        ? [{ pointer: '/dataset', message: error.message }]
        : error.errors.map(({ pointer, message }) => ({ pointer: `${base}${pointer}`, message }));
    throw invalid(errors);
  }
}
