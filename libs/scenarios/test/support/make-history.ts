import { promotionLadder, type Status } from '@shiplog/contract';
import type { ScenarioEvent } from '../../src/index.ts';
import { Dice } from './dice.ts';
import { type Service, services } from './history-services.ts';

const days = 30;
const hour = 60;
const day = 24 * hour;
/** The moment that the ages count from: the file is written as if it were run on this Wednesday afternoon. */
export const historyNow = new Date(Date.UTC(2026, 5, 17, 15));
/** What is younger is left to those who post to a running demo. */
const youngestMinutes = 15;
const seed = 2026;

type Stage = (typeof promotionLadder)[number];

/** How a stage goes: how likely a release gets here from the one before, how soon, and how long it takes. Minutes. */
const stages: Readonly<Record<Stage, { promoted: number; pause: Span; takes: Span; fails: number }>> = {
  dev: { promoted: 1, pause: [0, 0], takes: [2, 9], fails: 0.1 },
  staging: { promoted: 0.86, pause: [8, 50], takes: [5, 18], fails: 0.1 },
  qa: { promoted: 0.84, pause: [15, 180], takes: [11, 45], fails: 0.14 },
  preprod: { promoted: 0.86, pause: [60, 1500], takes: [14, 70], fails: 0.09 },
  prod: { promoted: 0.9, pause: [40, 1700], takes: [9, 40], fails: 0.13 },
};
/** How long it takes until somebody tries again: mostly at once, sometimes after a look, sometimes the day after. */
const repairs: readonly [Span, ...Span[]] = [
  [6, 40],
  [8, 55],
  [10, 50],
  [65, 220],
  [90, 230],
  [300, 1100],
  [1450, 2300],
];

/** Minutes, both ends included. */
type Span = readonly [number, number];

interface Deployment {
  readonly service: Service;
  readonly environment: Stage;
  readonly version: string;
  readonly ref: string;
  readonly actor: string | undefined;
  readonly parent: Deployment | undefined;
  /** In minutes since the beginning of the history. */
  readonly rows: { readonly at: number; readonly status: Status }[];
}

/** Thirty days of some services, oldest first: the same for ever, until something in this file changes. */
export function makeHistory(): readonly ScenarioEvent[] {
  const deployments = new Releases(new Dice(seed)).all();
  const kept = deployments.flatMap(withoutFuture).sort((one, other) => begin(one) - begin(other));
  const ids = numbered(kept);
  return kept
    .flatMap((deployment) => deployment.rows.map(({ at, status }) => eventOf(deployment, { at, status }, ids)))
    .sort((one, other) => other.elapsed_minutes - one.elapsed_minutes);
}

/** One event to a line, so that a change can be read. */
export function historyText(events: readonly ScenarioEvent[]): string {
  const lines = events.map((event) => `    ${JSON.stringify(event)}`);
  return `{\n  "events": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

class Releases {
  readonly #dice: Dice;
  readonly #made: Deployment[] = [];
  readonly #released = new Map<Service, number>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  all(): readonly Deployment[] {
    for (let date = 1; date <= days; date += 1) {
      const quiet = isWeekend(date * day);
      const releases = quiet ? this.#dice.between([0, 1]) : this.#dice.between([4, 7]);
      const begins = Array.from({ length: releases }, () => this.#dice.between([8 * hour, 16 * hour]));
      for (const begin of begins.sort((one, other) => one - other)) {
        this.#release(this.#dice.pick(services), dayBegin(date * day) + begin, quiet || this.#dice.chance(0.06));
      }
    }
    return this.#made;
  }

  /** One version on its way up; a hotfix skips the lower stages and does not wait for the morning. */
  #release(service: Service, begin: number, hotfix: boolean): void {
    const number = (this.#released.get(service) ?? 0) + 1;
    this.#released.set(service, number);
    const release = {
      service,
      version: service.version(number, hotfix),
      ref: hotfix ? `refs/heads/hotfix/${number}` : service.ref(number),
      actor: this.#dice.chance(service.anonymous) ? undefined : this.#dice.pick(service.actors),
    };
    let at = begin;
    let parent: Deployment | undefined;
    for (const environment of hotfix ? (['preprod', 'prod'] as const) : promotionLadder) {
      const { promoted, pause } = stages[environment];
      if (parent && !hotfix && !this.#dice.chance(promoted)) return;
      at = hotfix ? at + this.#dice.between([2, 20]) : this.#workingTime(at + this.#dice.between(pause));
      parent = this.#deployUntilGood({ ...release, environment, parent }, at);
      if (!parent) return;
      at = end(parent);
    }
  }

  /** Tries again after a failure; `undefined` where it was given up. */
  #deployUntilGood(what: Omit<Deployment, 'rows'>, at: number): Deployment | undefined {
    let next = at;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const deployment = { ...what, rows: this.#rows(what.environment, next) };
      this.#made.push(deployment);
      const outcome = deployment.rows.at(-1)?.status;
      if (outcome === 'success') return deployment;
      if (outcome !== 'failure') return undefined;
      next = end(deployment) + this.#dice.between(this.#dice.pick(repairs));
    }
    return undefined;
  }

  #rows(environment: Stage, at: number): Deployment['rows'] {
    const dice = this.#dice;
    const rows: Deployment['rows'] = [];
    let now = at;
    const step = (status: Status, lasts: Span) => {
      rows.push({ at: now, status });
      now += dice.between(lasts);
    };
    if (dice.chance(0.08)) step('pending', [1, 3]);
    if (dice.chance(0.1)) step('queued', [1, 9]);
    if (environment === 'prod' && dice.chance(0.4)) {
      step('waiting', [5, 75]);
      if (dice.chance(0.12)) return [...rows, { at: now, status: 'rejected' }];
    }
    const { takes, fails } = stages[environment];
    step('in-progress', dice.chance(0.04) ? [95, 170] : takes);
    if (dice.chance(0.03)) return [...rows, { at: now, status: 'cancelled' }];
    return [...rows, { at: now, status: dice.chance(fails) ? 'failure' : 'success' }];
  }

  /** The moment itself, or the next morning on which people work. */
  #workingTime(at: number): number {
    const date = dayBegin(at);
    if (!isWeekend(at) && at - date >= 7 * hour && at - date <= 18 * hour) return at;
    let morning = at - date < 7 * hour ? date : date + day;
    while (isWeekend(morning)) morning += day;
    return morning + this.#dice.between([8 * hour, 10 * hour]);
  }
}

function momentOf(at: number): Date {
  return new Date(historyNow.getTime() + (at - days * day) * 60_000);
}

function isWeekend(at: number): boolean {
  return [0, 6].includes(momentOf(at).getUTCDay());
}

/** The midnight before. */
function dayBegin(at: number): number {
  const moment = momentOf(at);
  return at - moment.getUTCHours() * hour - moment.getUTCMinutes();
}

function begin({ rows }: Deployment): number {
  return rows[0]?.at ?? 0;
}

function end({ rows }: Deployment): number {
  return rows.at(-1)?.at ?? 0;
}

function ageOf(at: number): number {
  return days * day - at;
}

/**
 * Nothing happens in the future, nor where the demo set goes on with a service: there whole deployments are left out,
 * so that none stays in progress for days.
 */
function withoutFuture(deployment: Deployment): readonly Deployment[] {
  const { demoSetFrom } = deployment.service;
  if (demoSetFrom !== undefined) return ageOf(end(deployment)) > demoSetFrom ? [deployment] : [];
  const rows = deployment.rows.filter(({ at }) => ageOf(at) >= youngestMinutes);
  return rows.length > 0 ? [{ ...deployment, rows }] : [];
}

/** Pipelines number their runs as they begin. Keyed by the rows, which a deployment keeps when it is cut. */
function numbered(deployments: readonly Deployment[]): ReadonlyMap<string, string> {
  const last = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const deployment of deployments) {
    const { family, firstRun } = deployment.service.pipeline;
    const run = (last.get(family) ?? firstRun) + 1;
    last.set(family, run);
    ids.set(keyOf(deployment), `${family}-${run}`);
  }
  return ids;
}

function keyOf(deployment: Deployment): string {
  return [deployment.service.name, deployment.environment, deployment.version, begin(deployment)].join(' ');
}

function eventOf(
  deployment: Deployment,
  { at, status }: Deployment['rows'][number],
  ids: ReadonlyMap<string, string>,
): ScenarioEvent {
  const { service, environment, version, actor, ref, parent } = deployment;
  const id = ids.get(keyOf(deployment)) ?? '';
  const run = id.slice(service.pipeline.family.length + 1);
  return {
    elapsed_minutes: ageOf(at),
    deployment_id: id,
    service: service.name,
    environment,
    version,
    status,
    ...(actor === undefined ? {} : { actor }),
    run_number: run,
    run_url: service.pipeline.url(service.name, run),
    ref,
    ...(parent ? { parent_deployments: [ids.get(keyOf(parent)) ?? ''] } : {}),
  };
}
