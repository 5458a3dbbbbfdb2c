import { limits, type Status } from '@shiplog/contract';
import type { Dice } from '../random.ts';
import type { ScenarioEvent } from '../scenario.ts';
import { liveStages } from './names.ts';
import type { DatasetService } from './services.ts';

interface Place {
  readonly service: DatasetService;
  readonly release: number;
  readonly environment: string;
}

/** A deployment of one release to one environment. */
interface Deployment extends Place {
  /** Minutes from the first event to now. */
  readonly age: number;
  readonly parents: readonly string[];
}

const branches = [
  ...Array.from({ length: 8 }, () => 'refs/heads/main'),
  'refs/heads/release/4.18',
  'refs/tags/v4.18.0',
  'refs/heads/функция/оплата',
  `refs/heads/dependabot/npm_and_yarn/${'a-very-long-branch-name/'.repeat(9)}`.slice(0, limits.ref),
  null,
];

/** Creates the events of releases. Their ids and run numbers are unique within a dataset. */
export class Deployments {
  readonly #dice: Dice;
  readonly #successes: (Place & { readonly age: number })[] = [];
  #run = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** The events of a release as it passes through its service's environments, until it fails to reach one. */
  promotion(service: DatasetService, release: number, startAge: number): ScenarioEvent[] {
    const events: ScenarioEvent[] = [];
    let age = startAge;
    let parents: readonly string[] = [];
    for (const environment of service.path) {
      const place = { service, release, environment };
      const attempt = this.#deployment({ ...place, age, parents });
      const failed = attempt.findLast(({ status }) => status === 'failure');
      const earlier = failed && this.#rollbackOf(place, failed.elapsed_minutes);
      const repair = failed ? this.#repair({ ...place, age: failed.elapsed_minutes, parents }, earlier) : [];
      events.push(...attempt, ...repair);
      const last = (repair.length > 0 ? repair : attempt).at(-1);
      if (last?.status !== 'success') break;
      this.#successes.push({ ...place, release: earlier ?? release, age: last.elapsed_minutes });
      // After a rollback, the release goes no further.
      if (earlier !== undefined || this.#chance(6)) break;
      parents = [last.deployment_id, ...(this.#chance(6) ? parents : []), ...(this.#chance(2) ? ['gone-1'] : [])];
      age = last.elapsed_minutes - this.#dice.between(1, this.#chance(30) ? 2000 : 90);
    }
    for (const environment of service.previews) {
      if (this.#chance(40)) events.push(...this.#deployment({ service, release, environment, age, parents: [] }));
    }
    return events;
  }

  /** The release to which a failed deployment is rolled back, usually in production; `undefined` if it isn't. */
  #rollbackOf({ service, release, environment }: Place, failedAge: number): number | undefined {
    const isLive = (liveStages as readonly string[]).includes(environment);
    if (!this.#chance(isLive ? 70 : 15)) return undefined;
    const before = this.#successes
      .filter((other) => other.service === service && other.environment === environment && other.age > failedAge)
      .sort((one, other) => one.age - other.age);
    return before.find((other) => other.release !== release)?.release;
  }

  /** What follows a failure: an earlier release, the same release again, or nothing. */
  #repair(failed: Deployment, earlier: number | undefined): ScenarioEvent[] {
    if (earlier === undefined && this.#chance(30)) return [];
    const release = earlier ?? failed.release;
    const age = failed.age - this.#dice.between(2, this.#chance(20) ? 4000 : 120);
    return this.#deployment({ ...failed, release, age }, 'success');
  }

  #deployment({ service, release, environment, age, parents }: Deployment, ending = this.#ending()): ScenarioEvent[] {
    const [run, dice] = [this.#nextRun(), this.#dice];
    const actor = dice.one(service.actors);
    const ref = dice.one(branches);
    const fields = {
      deployment_id: idOf(service, run),
      service: service.name,
      environment,
      ...service.nameOf(release),
      ...(run % 7 === 0 ? {} : { run_url: urlOf(service, run), run_number: String(run) }),
      ...(actor === null ? {} : { actor }),
      ...(ref === null ? {} : { ref }),
      ...(parents.length > 0 ? { parent_deployments: [...new Set(parents)] } : {}),
    };
    let elapsed = age;
    return this.#statuses(ending).map((status, index) => {
      if (index > 0) elapsed -= this.#minutes();
      return { ...fields, status, elapsed_minutes: elapsed };
    });
  }

  /** The statuses up to and including the last one. */
  #statuses(ending: Status): Status[] {
    const before: Status[] = [];
    if (this.#chance(15)) before.push('pending');
    if (this.#chance(25)) before.push('queued');
    if (ending === 'rejected' || this.#chance(15)) before.push('waiting');
    if (ending === 'success' || ending === 'failure' || ending === 'cancelled') before.push('in-progress');
    return [...before.filter((status) => status !== ending), ending];
  }

  /** Three in a hundred deployments never end. */
  #ending(): Status {
    const percent = this.#dice.between(1, 100);
    if (percent <= 84) return 'success';
    if (percent <= 93) return 'failure';
    if (percent <= 95) return 'cancelled';
    if (percent <= 97) return 'rejected';
    return this.#dice.one(['in-progress', 'in-progress', 'waiting', 'queued', 'pending']);
  }

  /** The time in a status: usually minutes, sometimes none, sometimes hours. */
  #minutes(): number {
    if (this.#chance(5)) return 0;
    return this.#dice.between(1, this.#chance(4) ? 60_000 : 1200) / 60;
  }

  #nextRun(): number {
    this.#run += 1;
    return this.#run;
  }

  #chance(percent: number): boolean {
    return this.#dice.between(1, 100) <= percent;
  }
}

function idOf({ name, reporter }: DatasetService, run: number): string {
  const tool = reporter?.split('/').at(-1) ?? 'manual';
  if (run % 500 === 0) return `${'id-of-a-pipeline-with-a-long-path/'.repeat(6)}`.slice(0, 180) + run;
  return run % 11 === 0 ? `${tool}/${name}#${run}` : `${tool}-${run}`;
}

function urlOf({ name }: DatasetService, run: number): string {
  if (run % 400 === 0) return 'javascript:alert(1)';
  const query = run % 300 === 0 ? `?${'parameter=value&'.repeat(50)}` : '';
  return `https://ci.example.com/${encodeURIComponent(name)}/runs/${run}${query}`;
}
