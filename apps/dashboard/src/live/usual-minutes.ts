import type { StagesReport } from '@shiplog/contract';
import type { UsualMinutes } from '../board/attention-facts.ts';
import { slotKey } from '../board/board.ts';
import { globOf } from '../board/filter.ts';

export interface SlotName {
  readonly service: string;
  readonly environment: string;
}

/** The report lists at most this many slots (questions.md 5). */
const listedMax = 10;
const charactersMax = 4000;
/** Remaining slots are requested the next time. */
const callsMax = 12;

/**
 * How long deployments usually run in these slots; `undefined` if too few have ended. Many slots share a request. If its
 * report is full, the slots that it left out are requested in halves.
 */
export async function usualMinutes(
  slots: readonly SlotName[],
  ask: (globs: {
    readonly services: string[];
    readonly environments: string[];
  }) => Promise<Pick<StagesReport, 'slowest'>>,
): Promise<ReadonlyMap<string, UsualMinutes | undefined>> {
  const minutes = new Map<string, UsualMinutes | undefined>();
  const groups = groupsOf(slots);
  for (let calls = 0; calls < callsMax; calls += 1) {
    const group = groups.shift();
    const [first] = group ?? [];
    if (!group || !first) break;
    const { environment } = first;
    const { slowest } = await ask({
      services: group.map(({ service }) => globOf(service)),
      environments: [globOf(environment)],
    });
    const remaining = group.filter(({ service }) => {
      const run = slowest.find(
        (each) => each.service === service && each.environment === environment && each.status === 'in-progress',
      );
      const isKnown = run !== undefined || slowest.length < listedMax || group.length === 1;
      if (isKnown) minutes.set(slotKey(service, environment), usualIn(run));
      return !isKnown;
    });
    const half = Math.ceil(remaining.length / 2);
    if (remaining.length > 0) groups.push(remaining.slice(0, half), remaining.slice(half));
  }
  return minutes;
}

function usualIn(run: StagesReport['slowest'][number] | undefined): UsualMinutes | undefined {
  return run && run.p50 !== null && run.p95 !== null ? { half: run.p50, most: run.p95 } : undefined;
}

function groupsOf(slots: readonly SlotName[]): SlotName[][] {
  const groups: SlotName[][] = [];
  const open = new Map<string, { readonly group: SlotName[]; characters: number }>();
  for (const slot of slots) {
    const characters = encodeURIComponent(globOf(slot.service)).length;
    const last = open.get(slot.environment);
    if (last && last.characters + characters <= charactersMax) {
      last.group.push(slot);
      last.characters += characters;
      continue;
    }
    const group = [slot];
    open.set(slot.environment, { group, characters });
    groups.push(group);
  }
  return groups;
}
