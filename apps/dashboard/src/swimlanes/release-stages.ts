import type { Release } from '@shiplog/contract';
import { plain } from '@shiplog/panels/files/dom.js';
import { shortSha } from '../board/box.ts';
import { statusLabel } from '../ui/status.tsx';
import type { Stage, StageLine } from './stage-line.ts';

/** The name of a release, as the board has it. */
export function releaseName({ version, sha }: Pick<Release, 'version' | 'sha'>): string {
  return version || shortSha(sha ?? '');
}

/** The stages of a line by what the log says of its release, where the board cannot know: what was there, and what was passed over. */
export function withReleases({ release, stages }: StageLine, releases: readonly Release[]): readonly Stage[] {
  const found = releases.find((each) => releaseName(each) === release);
  if (!found) return stages;
  return stages.map((stage) => {
    const place = Object.hasOwn(found.places, stage.environment) ? found.places[stage.environment] : undefined;
    if (stage.mark === 'newer' && !place) return { ...stage, mark: 'none', event: undefined };
    const wasThere = stage.mark === 'not' && place?.event.status === 'success';
    return wasThere ? { ...stage, mark: 'newer', event: place.event } : stage;
  });
}

/** How far a release came: "reached qa", "runs in prod", "failed in dev". */
export function reachOf({ places, runs_in }: Pick<Release, 'places' | 'runs_in'>, columns: readonly string[]): string {
  const inOrder = Object.entries(places).sort(([one], [other]) => columns.indexOf(other) - columns.indexOf(one));
  const reached = inOrder.find(([, { event }]) => event.status === 'success');
  const [environment, place] = reached ?? inOrder[0] ?? [];
  if (environment === undefined || !place) return 'nowhere yet';
  if (!reached) return `${statusLabel(place.event.status)} in ${plain(environment)}`;
  return `${runs_in.includes(environment) ? 'runs in' : 'reached'} ${plain(environment)}`;
}
