import { answeredStatus, type Client } from '@shiplog/client';
import { limits, type QualityReport } from '@shiplog/contract';
import { type AttentionFacts, noFacts, type UsualMinutes } from '../board/attention-facts.ts';
import { type Board, environmentsOf, isSlot, slotKey, slotStateIn } from '../board/board.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { pagesOf, startRequest } from './request.ts';
import { type SlotName, usualMinutes } from './usual-minutes.ts';

/** `isSettled`: both requests were answered or have timed out, so nothing needs to wait for the facts. */
export class AttentionFactsStore extends Store<AttentionFacts> {
  readonly isSettled = new Store(false);
}

/** The quality report is expensive for the service. */
const qualityEveryMs = 60_000;
const pagesMax = 20;
/** Usually the duration of running deployments is known and nothing is requested. */
const usualEveryMs = 15_000;
const usualCachedMs = 3_600_000;
/** Deployments that end sooner need no figure. */
const runsForMs = 60_000;
/** The page waits at most this long for the facts. */
const patienceMs = 500;

/** Refreshed while the page is visible; empty if the service doesn't provide the facts. */
export function attentionFactsOf(connection: Connection): AttentionFactsStore {
  const facts = new AttentionFactsStore(noFacts);
  const update: Update = (change) => facts.set({ ...facts.value, ...change });
  setTimeout(() => facts.isSettled.set(true), patienceMs);
  const answered = new Set<string>();
  const settle = (what: 'quality' | 'usual') => void (answered.add(what).size === 2 && facts.isSettled.set(true));
  // The report on a large log would delay the board.
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
  /** Slots with an event since they were stuck: each is a reason to ask once. */
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

/** Replaces the answer of a service without the endpoint, such as the mock. */
function without<Answer>(answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (answeredStatus(error) === 404) return answer;
    throw error;
  };
}
