import { driverLimits } from '@shiplog/companions';
import { promotionOrder, type Status } from '@shiplog/contract';
import type { ScenarioEvent } from '@shiplog/scenarios';

/** Returns a number from 0 (inclusive) to 1 (exclusive). */
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
/** The minimum number of stages for a scenario in which one stage has two predecessors. */
const joinedStagesMin = 4;
/** The time between two environments; a version passes all of them in at most 20 minutes. */
const promotionMinutes = 4;

/** The number of events per environment: one per historical release, and one for the current release. */
export const eventsPerEnvironment = driverLimits.historyHours.length + 1;

/** An environment, and the environments in which a version must succeed first. */
interface Stage {
  readonly environment: string;
  readonly before: readonly string[];
}

/** What a scenario must show; everything else is random. */
interface Requirement {
  readonly ending?: Status;
  readonly joined?: true;
}

/** Each of these goals is met by one scenario of a run, if the run has enough scenarios (reading 9.1). */
const requirements: readonly Requirement[] = [
  { ending: 'failure' },
  { ending: 'in-progress' },
  { ending: 'success', joined: true },
];

/** One version of a service, which is promoted through the environments. */
interface Release {
  readonly service: string;
  readonly runNumber: number;
  readonly version: string;
  readonly sha: string;
  readonly actor: string;
}

/**
 * The events of `count` scenarios, each for a separate service. Each environment gets two historical events, 4 and 2
 * hours older than the current one, then the current one (companion services §2 IngestRequest, reading 9.1).
 */
export function randomEvents(count: number, random: Random): ScenarioEvent[] {
  return sample(serviceNames, count, random).flatMap((service, index) =>
    randomScenario(service, count < requirements.length ? {} : (requirements[index] ?? {}), random),
  );
}

/** Every release reaches the last environment, so only there can a status other than success occur. */
function randomScenario(service: string, requirement: Requirement, random: Random): ScenarioEvent[] {
  const least = requirement.joined ? joinedStagesMin : stagesMin;
  const count = least + integer(promotionOrder.length - least + 1, random);
  const stages = stagesOf(count, requirement.joined ?? random() < 0.3);
  const first = firstRelease(service, random);
  const releases = [...driverLimits.historyHours, 0].map((hours, age) => ({
    hours,
    release: { ...first, ...patched(first, age), sha: commit(random), actor: oneOf(people, random) },
  }));
  return stages.flatMap((stage, index) => {
    const left = stages.length - 1 - index;
    const since = left * promotionMinutes + integer(promotionMinutes, random);
    return releases.map(({ hours, release }): ScenarioEvent => {
      const ending = hours === 0 ? (requirement.ending ?? primaryStatus(random)) : historicalStatus(random);
      return {
        ...deployed(release, stage),
        status: left === 0 ? ending : 'success',
        elapsed_minutes: hours * 60 + since,
      };
    });
  });
}

/**
 * The environments, one after the other. If `joined`, the second and third both follow the first, and the fourth
 * follows both.
 */
function stagesOf(count: number, joined: boolean): Stage[] {
  const [first, second, third, fourth] = promotionOrder;
  return promotionOrder.slice(0, count).map((environment, index) => {
    if (joined && environment === third) return { environment, before: [first] };
    if (joined && environment === fourth) return { environment, before: [second, third] };
    return { environment, before: promotionOrder.slice(index - 1, index) };
  });
}

/** Events for live emission, two per deployment. Each version moves to the next environment until it fails. */
export function* liveEvents(random: Random): Generator<ScenarioEvent, never, undefined> {
  for (;;) {
    const release = firstRelease(oneOf(serviceNames, random), random);
    for (const stage of stagesOf(promotionOrder.length, false)) {
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

/** The release that is `later` releases after the given one. */
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

/** Returns `count` different items. */
function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(integer(left.length, random), 1),
  ).flat();
}
