import type { StagesReport } from '@shiplog/contract';
import type { UsualMinutes } from '../board/attention-facts.ts';
import { slotKey } from '../board/slot.ts';

export interface Place {
  readonly service: string;
  readonly environment: string;
}

/** Globs that each match one name. */
export interface PlacesAsked {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

/** The report lists at most this many slots (questions.md 5). */
const listedMax = 10;
/** The length of a URL is limited. */
const charactersMax = 4000;
/** Remaining slots are requested the next time. */
const callsMax = 12;

/**
 * How long deployments usually run in these slots; `undefined` if too few have ended. Many slots share a request. If the
 * report lists as many as it can, the slots that it left out are requested in halves.
 */
export async function usualMinutes(
  places: readonly Place[],
  ask: (places: PlacesAsked) => Promise<Pick<StagesReport, 'slowest'>>,
): Promise<ReadonlyMap<string, UsualMinutes | undefined>> {
  const minutes = new Map<string, UsualMinutes | undefined>();
  const groups = groupsOf(places);
  for (let calls = 0; calls < callsMax; calls += 1) {
    const group = groups.shift();
    const [first] = group ?? [];
    if (!group || !first) break;
    const { environment } = first;
    const { slowest } = await ask({
      services: group.map(({ service }) => globOf(service)),
      environments: [globOf(environment)],
    });
    const left = group.filter(({ service }) => {
      const run = slowest.find(
        (each) => each.service === service && each.environment === environment && each.status === 'in-progress',
      );
      const isKnown = run !== undefined || slowest.length < listedMax || group.length === 1;
      if (isKnown) minutes.set(slotKey(service, environment), usualIn(run));
      return !isKnown;
    });
    const half = Math.ceil(left.length / 2);
    if (left.length > 0) groups.push(left.slice(0, half), left.slice(half));
  }
  return minutes;
}

function usualIn(run: StagesReport['slowest'][number] | undefined): UsualMinutes | undefined {
  return run && run.p50 !== null && run.p95 !== null ? { half: run.p50, most: run.p95 } : undefined;
}

/** Groups the slots by environment, within the length of a URL. */
function groupsOf(places: readonly Place[]): Place[][] {
  const groups: Place[][] = [];
  const open = new Map<string, { readonly group: Place[]; characters: number }>();
  for (const place of places) {
    const characters = encodeURIComponent(globOf(place.service)).length;
    const last = open.get(place.environment);
    if (last && last.characters + characters <= charactersMax) {
      last.group.push(place);
      last.characters += characters;
      continue;
    }
    const group = [place];
    open.set(place.environment, { group, characters });
    groups.push(group);
  }
  return groups;
}

/** The glob that only matches this name (questions.md 2). */
function globOf(name: string): string {
  return name.replace(/[\\*?]/g, '\\$&');
}
