import type { StagesReport } from '@shiplog/contract';
import type { UsualMinutes } from '../board/attention-facts.ts';
import { slotKey } from '../board/slot.ts';

export interface Place {
  readonly service: string;
  readonly environment: string;
}

/** Globs that each mean one name. */
export interface PlacesAsked {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

/** The report names at most so many places (questions.md 5). */
const listedMax = 10;
/** A question is a URL, which has its limits. */
const signsMax = 4000;
/** What is left then is asked for the next time. */
const callsMax = 12;

/**
 * How long deployments run in these slots; `undefined` where too few have ended. Many are asked for at once; where the
 * report names as many as it can, those that it left out are asked for in halves.
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
      const isTold = run !== undefined || slowest.length < listedMax || group.length === 1;
      if (isTold) minutes.set(slotKey(service, environment), usualIn(run));
      return !isTold;
    });
    const half = Math.ceil(left.length / 2);
    if (left.length > 0) groups.push(left.slice(0, half), left.slice(half));
  }
  return minutes;
}

function usualIn(run: StagesReport['slowest'][number] | undefined): UsualMinutes | undefined {
  return run && run.p50 !== null && run.p95 !== null ? { half: run.p50, most: run.p95 } : undefined;
}

/** Groups of one environment each. */
function groupsOf(places: readonly Place[]): Place[][] {
  const groups: Place[][] = [];
  const open = new Map<string, { readonly group: Place[]; signs: number }>();
  for (const place of places) {
    const signs = encodeURIComponent(globOf(place.service)).length;
    const last = open.get(place.environment);
    if (last && last.signs + signs <= signsMax) {
      last.group.push(place);
      last.signs += signs;
      continue;
    }
    const group = [place];
    open.set(place.environment, { group, signs });
    groups.push(group);
  }
  return groups;
}

/** The glob that means this name alone (questions.md 2). */
function globOf(name: string): string {
  return name.replace(/[\\*?]/g, '\\$&');
}
