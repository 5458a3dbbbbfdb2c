import { driverLimits, promotionLadder, type Status } from '@shiplog/contract';
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
/** How long a version rests in one environment before it goes on to the next. */
const promotionMinutes = 5;

/** One version of a service on its way through the environments. */
interface Release {
  readonly service: string;
  readonly runNumber: number;
  readonly version: string;
  readonly sha: string;
  readonly actor: string;
}

/**
 * Events of `count` services, each service a scenario of its own: for each of its environments two that are about 4 and
 * 2 hours old, then the one that counts (companion services §2 IngestRequest).
 */
export function randomEvents(count: number, random: Random): ScenarioEvent[] {
  return sample(serviceNames, count, random).flatMap((service) => randomScenario(service, random));
}

function randomScenario(service: string, random: Random): ScenarioEvent[] {
  const stages = promotionLadder.slice(0, stagesMin + integer(promotionLadder.length - stagesMin + 1, random));
  const first = firstRelease(service, random);
  const releases = [...driverLimits.historyHours, 0].map((hours, age) => ({
    hours,
    release: { ...first, ...patched(first, age), sha: commit(random), actor: oneOf(people, random) },
  }));
  return stages.flatMap((environment, stage) =>
    releases.map(({ hours, release }): ScenarioEvent => {
      const last = stage === stages.length - 1;
      const since = (stages.length - 1 - stage) * promotionMinutes + integer(promotionMinutes, random);
      return {
        ...deployed(release, environment, stages[stage - 1]),
        status: hours === 0 ? primaryStatus(last, random) : historicalStatus(random),
        elapsed_minutes: hours * 60 + since,
      };
    }),
  );
}

/** What is going on now, one event after the other: a deployment begins, and the next event ends it. */
export function* liveEvents(random: Random): Generator<ScenarioEvent, never, undefined> {
  for (;;) {
    const release = firstRelease(oneOf(serviceNames, random), random);
    const event = { ...deployed(release, oneOf(promotionLadder, random), undefined), elapsed_minutes: 0 };
    yield { ...event, status: 'in-progress' };
    yield { ...event, status: random() < 0.85 ? 'success' : 'failure' };
  }
}

function deployed(release: Release, environment: string, before: string | undefined) {
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
    ...(before === undefined ? {} : { parent_deployments: [deploymentId(release, before)] }),
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

/** A version reached the last environment through successes; how it fares there is open. */
function primaryStatus(last: boolean, random: Random): Status {
  if (!last) return 'success';
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
