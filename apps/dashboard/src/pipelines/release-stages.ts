import type { Release } from '@shiplog/contract';
import { releaseName } from '@shiplog/text';
import type { ServiceStages, Stage } from './service-stages.ts';

/**
 * Completes the stages of a row from the log: what succeeded, failed or was skipped, if the board no longer shows it.
 */
export function withReleases({ release, stages }: ServiceStages, releases: readonly Release[]): readonly Stage[] {
  const found = releases.find((each) => releaseName(each) === release);
  if (!found) return stages;
  return stages.map((stage) => {
    if (stage.mark !== 'newer' && stage.mark !== 'not') return stage;
    const event = Object.hasOwn(found.places, stage.environment) ? found.places[stage.environment]?.event : undefined;
    if (event?.status === 'failure') return { ...stage, mark: 'bad', event };
    if (stage.mark === 'newer') return event ? stage : { ...stage, mark: 'none', event: undefined };
    return event?.status === 'success' ? { ...stage, mark: 'newer', event } : stage;
  });
}
