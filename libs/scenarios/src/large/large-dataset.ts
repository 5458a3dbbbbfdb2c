import { Dice } from '../random.ts';
import type { ScenarioEvent } from '../scenario.ts';
import { Deployments } from './deployments.ts';
import { type DatasetService, datasetServices } from './services.ts';

export interface DatasetEvent {
  /** A negative age means that the event is dated ahead of the clock. */
  readonly event: ScenarioEvent;
  /** The `X-Progress-Reporter` header; `null` if it isn't sent. */
  readonly reporter: string | null;
  /** The age of the event's arrival in the log, in minutes. */
  readonly arrivalAge: number;
}

export interface DatasetSize {
  readonly services: number;
  readonly events: number;
}

export const largeSize: DatasetSize = { services: 400, events: 20_000 };
export const largeSeed = 1;
/** The stages of the dataset, as in `ANALYTICS_FUNNEL_ENVIRONMENTS`. */
export const largeStages = 'dev,test=test|qa-*,staging=staging|uat-*,production=prod-*|dr';

const spanMinutes = 85 * 24 * 60;
const hour = 60;
/** The reporter whose clock is wrong, and by how many minutes. */
const wrongClock = { reporter: 'jenkins/prod-controller-02', ahead: 47 };
/** The reporter that has stopped, and how many minutes ago. */
const stopped = { reporter: 'deploy-action/2.4.1', age: 30 * hour };

/**
 * A log as large and untidy as in a big company, in order of arrival: services with long, similar or strange names in
 * 23 environments, versions of all kinds, failures with rollbacks and retries, deployments that never end, a reporter
 * that has stopped, and events that are late, repeated or dated in the future. Equal arguments give equal events.
 */
export function largeDataset(seed = largeSeed, { services, events }: DatasetSize = largeSize): DatasetEvent[] {
  const dice = new Dice(seed);
  const all = datasetServices(services, dice);
  const deployments = new Deployments(dice);
  const made: DatasetEvent[] = [];
  for (const { service, release, age } of promotionsOf(all, events, dice)) {
    if (made.length >= 0.99 * events) break;
    for (const event of deployments.promotion(service, release, age)) {
      // Leaves out events that haven't happened yet, and those since the reporter stopped.
      if (event.elapsed_minutes >= silenceOf(service.reporter)) made.push(reported(event, service.reporter, dice));
    }
  }
  const unique = made.slice(0, events);
  const repeated = Array.from({ length: events - unique.length }, () => dice.one(unique));
  return [...unique, ...repeated].sort((one, other) => other.arrivalAge - one.arrivalAge);
}

/** The service with the most events in an environment. */
export function busiestService(dataset: readonly DatasetEvent[], environment: string): string {
  const counts = new Map<string, number>();
  for (const { event } of dataset) {
    if (event.environment === environment) counts.set(event.service, (counts.get(event.service) ?? 0) + 1);
  }
  const [[busiest] = ['']] = [...counts].sort(([, one], [, other]) => other - one);
  return busiest;
}

/** More promotions than the events need: first one per service, then more for services that deploy often. */
function promotionsOf(services: readonly DatasetService[], events: number, dice: Dice) {
  const often = services.flatMap((service) => Array.from({ length: service.weight }, () => service));
  const chosen = [...dice.shuffled(services), ...Array.from({ length: events }, () => dice.one(often))];
  const drawn = chosen.map((service) => {
    const silence = silenceOf(service.reporter);
    return { service, age: silence + (spanMinutes - silence) * (dice.between(0, 10_000) / 10_000) ** 2 };
  });
  const releases = new Map<DatasetService, number>();
  const numbered = new Map(
    drawn
      .toSorted((one, other) => other.age - one.age)
      .map((promotion) => {
        const release = releases.get(promotion.service) ?? 0;
        releases.set(promotion.service, release + 1);
        return [promotion, release];
      }),
  );
  return drawn.map((promotion) => ({ ...promotion, release: numbered.get(promotion) ?? 0 }));
}

/** How long the reporter has sent nothing, in minutes. */
function silenceOf(reporter: string | null): number {
  return reporter === stopped.reporter ? stopped.age : 0;
}

/**
 * Two in a hundred events arrive hours or days late. Of those from the last two days, one in a hundred is dated far
 * ahead.
 */
function reported(event: ScenarioEvent, reporter: string | null, dice: Dice): DatasetEvent {
  const happened = event.elapsed_minutes;
  const delay = dice.between(1, 100) <= 2 ? dice.between(2, 144) * hour : dice.between(0, 30) / 60;
  const isFarAhead = happened < 48 * hour && dice.between(1, 100) === 1;
  const usualAhead = reporter === wrongClock.reporter ? wrongClock.ahead : 0;
  const age = isFarAhead ? -dice.between(1, 100) * hour : happened - usualAhead;
  return {
    event: { ...event, elapsed_minutes: Math.round(age * 100) / 100 },
    reporter,
    arrivalAge: Math.max(silenceOf(reporter), happened - delay),
  };
}
