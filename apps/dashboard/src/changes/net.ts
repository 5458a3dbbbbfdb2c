import type { Change, NetChange } from '@shiplog/contract';
import { grouped, releaseName } from '@shiplog/text';

/** What a range changed in one service. */
export interface NetRow {
  readonly service: string;
  readonly isChanged: boolean;
  /** The place that represents the row: the first one that changed. */
  readonly main: NetChange;
  readonly places: ReadonlyMap<string, NetChange>;
}

/** One row per service, in the order of the items: services that changed come first. */
export function netRows(items: readonly NetChange[]): NetRow[] {
  const rows = [...grouped(items, ({ service }) => service)].map(([service, places]) => ({
    service,
    isChanged: places.some(({ changed }) => changed),
    main: places.find(({ changed }) => changed) ?? (places[0] as NetChange),
    places: new Map(places.map((place) => [place.environment, place])),
  }));
  return [...rows.filter(({ isChanged }) => isChanged), ...rows.filter(({ isChanged }) => !isChanged)];
}

/** The names of the releases before and after; a release without a name is "?". */
export function stepOf({ before, after }: Pick<NetChange, 'before' | 'after'>): readonly [string, string] {
  const nameOf = (release: NetChange['before']) => (release === null ? '' : releaseName(release) || '?');
  return [nameOf(before), nameOf(after)];
}

/** Whether two places changed from the same release to the same release. */
export function isSameStep(one: NetChange, other: NetChange): boolean {
  return stepOf(one).join('\n') === stepOf(other).join('\n');
}

/** The loaded change that deployed what a place has after the range. */
export function decisive(place: NetChange, changes: readonly Change[]): Change | undefined {
  return changes.find(
    ({ service, environment, state, event_id }) =>
      service === place.service &&
      environment === place.environment &&
      state === 'success' &&
      event_id === place.after?.event_id,
  );
}
