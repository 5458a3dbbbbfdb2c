import { answeredStatus, type Client } from '@shiplog/client';
import { limits, type QualityReport, type StagesReport } from '@shiplog/contract';
import { type AttentionFacts, noFacts, type UsualMinutes } from '../board/attention-facts.ts';
import { type Board, environmentsOf, isSlot, slotKey, slotStateIn } from '../board/board.ts';
import { globOf } from '../board/filter.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { pagesOf, startRequest } from './request.ts';

/** `isSettled`: both requests were answered or have timed out, so the page need not wait for the facts. */
export class AttentionFactsStore extends Store<AttentionFacts> {
  readonly isSettled = new Store(false);
}

/** The interval is long because the quality report is expensive for the service. */
const qualityEveryMs = 60_000;
const pagesMax = 20;
/** The interval is short because the usual durations are cached, so a round rarely sends a request. */
const usualEveryMs = 15_000;
const usualCachedMs = 3_600_000;
/** The usual duration is requested only for deployments that run longer than this. */
const runsForMs = 60_000;
/** The page waits at most this long for the facts. */
const patienceMs = 500;

/** The facts, refreshed while the page is visible; empty if the service doesn't provide them. */
export function attentionFactsOf(connection: Connection): AttentionFactsStore {
  const facts = new AttentionFactsStore(noFacts);
  const update: Update = (change) => facts.set({ ...facts.value, ...change });
  setTimeout(() => facts.isSettled.set(true), patienceMs);
  const answered = new Set<string>();
  const settle = (what: 'quality' | 'usual') => void (answered.add(what).size === 2 && facts.isSettled.set(true));
  // Wait for the board: the quality report of a large log delays it.
  const end = connection.board.listen(() => {
    if (!connection.board.value) return;
    end();
    askQuality(connection, facts, update, () => settle('quality'));
    askUsual(connection, update, () => settle('usual'));
  });
  return facts;
}

type Update = (change: Partial<AttentionFacts>) => void;

function askQuality(connection: Connection, facts: AttentionFactsStore, update: Update, settle: () => void): void {
  let known = '';
  /** Stuck slots that have received an event since. Each causes one more request. */
  const touched = new Set<string>();
  const ask = async (signal: AbortSignal) => {
    const quality = await qualityOf(connection.client, signal).catch(without(noFacts));
    const text = JSON.stringify([[...quality.stuck], quality.silent]);
    if (text === known) return;
    known = text;
    for (const key of touched) if (!quality.stuck.has(key)) touched.delete(key);
    update({ stuck: quality.stuck, silent: quality.silent });
  };
  const { changed } = startRequest((signal) => ask(signal).finally(settle), { everyMs: qualityEveryMs });
  connection.onCleared(changed);
  connection.onEvents((events) => {
    if (facts.value.stuck.size === 0) return;
    for (const { service, environment } of events) {
      const key = slotKey(service, environment);
      if (!facts.value.stuck.has(key) || touched.has(key)) continue;
      touched.add(key);
      changed();
    }
  });
}

async function qualityOf({ getQuality }: Client, signal: AbortSignal) {
  const stuck = new Map<string, string>();
  let reporters: QualityReport['emitters'] = [];
  const query = { kind: ['stuck' as const], counts: 'asked' as const, limit: limits.pageSizeMax };
  for await (const page of pagesOf((from) => getQuality({ query: { ...query, ...from }, signal }), pagesMax)) {
    for (const { service, environment, event_id } of page.findings) {
      if (service !== null && environment !== null && event_id !== null) {
        stuck.set(slotKey(service, environment), event_id);
      }
    }
    reporters = page.emitters;
  }
  const silent = reporters
    .filter(({ silent }) => silent)
    .map(({ reporter, last_at, usual_interval_minutes }) => ({
      reporter: reporter ?? '',
      lastMs: Date.parse(last_at),
      usualMinutes: usual_interval_minutes ?? undefined,
    }));
  return { stuck, silent };
}

function askUsual({ client, board, now }: Connection, update: Update, settle: () => void): void {
  const cached = new Map<string, { readonly minutes: UsualMinutes | undefined; readonly atMs: number }>();
  const ask = async (signal: AbortSignal) => {
    const running = board.value ? runningIn(board.value, now.value) : [];
    const outdated = running.filter(({ service, environment }) => {
      const { atMs } = cached.get(slotKey(service, environment)) ?? {};
      return atMs === undefined || now.value - atMs > usualCachedMs;
    });
    if (outdated.length === 0) return;
    const found = await usualMinutes(outdated, async (scope) => {
      const query = { window: '30d', services: [...scope.services], environments: [...scope.environments] };
      return (await client.getStages({ query, signal }).catch(without({ body: { slowest: [] } }))).body;
    });
    for (const [key, minutes] of found) cached.set(key, { minutes, atMs: now.value });
    update({ usual: new Map([...cached].flatMap(([key, { minutes }]) => (minutes ? [[key, minutes]] : []))) });
  };
  startRequest((signal) => ask(signal).finally(settle), { everyMs: usualEveryMs });
}

function runningIn({ rows }: Board, nowMs: number): SlotName[] {
  return [...rows.values()].flatMap((row) =>
    environmentsOf(row).flatMap((environment) => {
      const slotState = slotStateIn(row, environment);
      if (!slotState || !isSlot(slotState) || slotState.current.status !== 'in-progress') return [];
      const isLong = nowMs - Date.parse(slotState.current.happened_at) > runsForMs;
      return isLong ? [{ service: row.service, environment }] : [];
    }),
  );
}

/** The response to use if the service lacks the endpoint, as the mock does. */
function without<Answer>(answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (answeredStatus(error) === 404) return answer;
    throw error;
  };
}

export interface SlotName {
  readonly service: string;
  readonly environment: string;
}

/** The report lists at most this many slots (questions.md 5). */
const listedMax = 10;
const charactersMax = 4000;
/** The maximum number of requests in one round. The next round requests the remaining slots. */
const callsMax = 12;

/**
 * How long deployments in these slots usually run; `undefined` if too few have ended. Many slots share a request. If a
 * report is full, the slots missing from it are split between two more requests.
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
