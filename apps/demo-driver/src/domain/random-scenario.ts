import { driverLimits } from '@shiplog/companions';
import { promotionLadder, type Status } from '@shiplog/contract';
import type { ScenarioEvent } from '@shiplog/scenarios';

/** A number from 0 to 1, 1 left out. */
export type Random = () => number;

const serviceNames = [
  'basket-api',
  'booking-worker',
  'catalogue',
  'checkout-web',
  'geo-lookup',
  'invoice-printer',
  'loyalty-points',
  'mail-gateway',
  'price-engine',
  'returns-api',
  'search-index',
  'stock-sync',
  'tax-rules',
  'voucher-api',
] as const;
const people = ['alba', 'benno', 'chidi', 'dara', 'elif', 'farid', 'greta', 'hanh'] as const;
const stagesMin = 2;
/** With fewer there is no place that is reached from two others. */
const joinedStagesMin = 4;
/** How long a version rests in one environment before it goes on to the next: the whole ladder takes 20 minutes at most. */
const promotionMinutes = 4;

/** So many events has each place: of each of the earlier releases, and the one that counts. */
export const eventsPerPlace = driverLimits.historyHours.length + 1;

/** An environment, and those that a version has to have succeeded in before. */
interface Stage {
  readonly environment: string;
  readonly before: readonly string[];
}

/** What a scenario is asked to show; what is left open is left to chance. */
interface Wish {
  readonly ending?: Status;
  readonly joined?: true;
}

/** What a run of so many scenarios has at least (reading 9.1). */
const wishes: readonly Wish[] = [{ ending: 'failure' }, { ending: 'in-progress' }, { ending: 'success', joined: true }];

/** One version of a service on its way through the environments. */
interface Release {
  readonly service: string;
  readonly runNumber: number;
  readonly version: string;
  readonly sha: string;
  readonly actor: string;
}

/**
 * Events of `count` services, each service a scenario of its own: for each of its environments two that are 4 and 2
 * hours older than the one that counts, then that one (companion services §2 IngestRequest, reading 9.1).
 */
export function randomEvents(count: number, random: Random): ScenarioEvent[] {
  return sample(serviceNames, count, random).flatMap((service, index) =>
    randomScenario(service, count < wishes.length ? {} : (wishes[index] ?? {}), random),
  );
}

/** Every release goes all the way, so only the last environment can see one fail. */
function randomScenario(service: string, wish: Wish, random: Random): ScenarioEvent[] {
  const least = wish.joined ? joinedStagesMin : stagesMin;
  const count = least + integer(promotionLadder.length - least + 1, random);
  const stages = stagesOf(count, wish.joined ?? random() < 0.3);
  const first = firstRelease(service, random);
  const releases = [...driverLimits.historyHours, 0].map((hours, age) => ({
    hours,
    release: { ...first, ...patched(first, age), sha: commit(random), actor: oneOf(people, random) },
  }));
  return stages.flatMap((stage, index) => {
    const left = stages.length - 1 - index;
    const since = left * promotionMinutes + integer(promotionMinutes, random);
    return releases.map(({ hours, release }): ScenarioEvent => {
      const ending = hours === 0 ? (wish.ending ?? primaryStatus(random)) : historicalStatus(random);
      return {
        ...deployed(release, stage),
        status: left === 0 ? ending : 'success',
        elapsed_minutes: hours * 60 + since,
      };
    });
  });
}

/** From environment to environment; where they are joined, the second and third take a version at once and the fourth from both. */
function stagesOf(count: number, joined: boolean): Stage[] {
  const [first, second, third, fourth] = promotionLadder;
  return promotionLadder.slice(0, count).map((environment, index) => {
    if (joined && environment === third) return { environment, before: [first] };
    if (joined && environment === fourth) return { environment, before: [second, third] };
    return { environment, before: promotionLadder.slice(index - 1, index) };
  });
}

/** What is going on now: a version is deployed to one environment after the other until it fails, two events each time. */
export function* liveEvents(random: Random): Generator<ScenarioEvent, never, undefined> {
  for (;;) {
    const release = firstRelease(oneOf(serviceNames, random), random);
    for (const stage of stagesOf(promotionLadder.length, false)) {
      const event = { ...deployed(release, stage), elapsed_minutes: 0 };
      yield { ...event, status: 'in-progress' };
      const status = random() < 0.85 ? 'success' : 'failure';
      yield { ...event, status };
      if (status === 'failure') break;
    }
  }
}

function deployed(release: Release, { environment, before }: Stage) {
  const { service, runNumber, version, sha, actor } = release;
  return {
    deployment_id: deploymentId(release, environment),
    service,
    environment,
    version,
    run_url: `https://ci.example.com/${service}/runs/${runNumber}`,
    run_number: String(runNumber),
    actor,
    ref: 'refs/heads/main',
    sha,
    ...(before.length === 0 ? {} : { parent_deployments: before.map((each) => deploymentId(release, each)) }),
  };
}

function deploymentId({ service, runNumber, sha }: Release, environment: string): string {
  return `${service}-${runNumber}-${sha}-${environment}`;
}

function firstRelease(service: string, random: Random): Release {
  return {
    service,
    runNumber: 1000 + integer(9000, random),
    version: `${1 + integer(4, random)}.${integer(20, random)}.${integer(9, random)}`,
    sha: commit(random),
    actor: oneOf(people, random),
  };
}

/** The release that comes so many after the first. */
function patched({ version, runNumber }: Release, later: number): Pick<Release, 'version' | 'runNumber'> {
  const [major, minor, patch] = version.split('.');
  return { version: `${major}.${minor}.${Number(patch) + later}`, runNumber: runNumber + later };
}

function primaryStatus(random: Random): Status {
  const chance = random();
  if (chance < 0.6) return 'success';
  return chance < 0.8 ? 'in-progress' : 'failure';
}

function historicalStatus(random: Random): Status {
  return random() < 0.9 ? 'success' : 'failure';
}

function commit(random: Random): string {
  return integer(16 ** 7, random)
    .toString(16)
    .padStart(7, '0');
}

function integer(below: number, random: Random): number {
  return Math.floor(random() * below);
}

function oneOf<Item>(items: readonly [Item, ...Item[]], random: Random): Item {
  return items[integer(items.length, random)] ?? items[0];
}

/** So many different ones. */
function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(integer(left.length, random), 1),
  ).flat();
}
