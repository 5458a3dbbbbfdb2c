import { type BoardFacts, byCodePoint, type PlaceFacts } from '@shiplog/contract';
import { compileGlob } from '@shiplog/text';
import { listSuccesses, readHidden, readNotOvertaken, readRunning } from '../db/board-facts.ts';
import type { Queries } from '../db/database.ts';
import { readDiff } from '../db/environments-diff.ts';
import { stagePairs } from '../domain/board-facts.ts';
import { relationOf } from '../domain/environments-diff.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import { judgeQuality } from './quality.ts';

interface Place {
  readonly service: string;
  readonly environment: string;
}

/** Usual durations need this many deployments, and a slow one more. */
const usualMin = 3;
const slowMin = 5;

interface FactsQuestion {
  readonly scope: Scope | undefined;
  readonly promotionOrder: readonly string[];
  /** Events from this id on are not in the folds yet. */
  readonly below: string;
}

/** The facts of all places at the moment of the snapshot (board-facts.md). */
export async function boardFacts(
  queries: Queries,
  { scope, promotionOrder, below }: FactsQuestion,
): Promise<BoardFacts> {
  const places = new Map<string, PlaceFacts>();
  const add = ({ service, environment }: Place, facts: Partial<PlaceFacts>) => {
    const key = JSON.stringify([service, environment]);
    places.set(key, { ...(places.get(key) ?? { service, environment, ...nothing }), ...facts });
  };
  const { now, emitters, findings } = await judgeQuality(queries, scope);
  // The finding of a place names its newest stuck event.
  const stuckIds = findings.flatMap(({ kind, event_id: id }) => (kind === 'stuck' && id !== null ? [id] : []));
  for (const { service, environment, ...stuck } of await readNotOvertaken(queries, stuckIds)) {
    add({ service, environment }, { stuck });
  }
  for (const { p50, p95, count, slowSince, ...place } of await readRunning(queries, scope)) {
    if (p50 === null || p95 === null || count < usualMin) continue;
    const isSlow = slowSince !== null && count >= slowMin && !factsIn(places, place)?.stuck;
    add(place, {
      usual: { p50, p95, count },
      slow: isSlow ? { since: slowSince, usual_minutes: p50 } : null,
    });
  }
  for (const { eventJson, ...place } of await readHidden(queries, scope)) {
    add(place, { hidden: { event: JSON.parse(eventJson) } });
  }
  for (const { behind, ...place } of await readBehind(queries, { scope, promotionOrder, below }))
    add(place, { behind });
  for (const { kind, service, environment, count, before_reporter } of findings) {
    if (service === null || environment === null) continue;
    const place = { service, environment };
    const finding = { kind, count, ...(before_reporter !== undefined && { before_reporter }) };
    add(place, { findings: [...(factsIn(places, place)?.findings ?? []), finding] });
  }
  return {
    generated_at: new Date(now).toISOString(),
    ...(scope && { scope: scopeShape(scope) }),
    ladder: [...promotionOrder],
    production: promotionOrder.at(-1) ?? '',
    places: [...places.values()].sort(byName),
    emitters: emitters
      .filter(({ silent }) => silent)
      .map(({ reporter, last_at, usual_interval_minutes }) => ({ reporter, last_at, usual_interval_minutes })),
  };
}

const nothing = { stuck: null, slow: null, behind: null, hidden: null, usual: null, findings: [] };

function factsIn(places: ReadonlyMap<string, PlaceFacts>, { service, environment }: Place) {
  return places.get(JSON.stringify([service, environment]));
}

/** Where the stage before is ahead, as in the difference of the two environments (3.6). */
async function readBehind(queries: Queries, { scope, promotionOrder, below }: FactsQuestion) {
  const matchers = scope?.environments?.map(compileGlob);
  const services = new Map<string, string[]>();
  for (const { service, from, to } of stagePairs(await listSuccesses(queries, scope), promotionOrder)) {
    if (matchers && !matchers.some((matches) => matches(to))) continue;
    const key = JSON.stringify([from, to]);
    const own = services.get(key) ?? [];
    own.push(service);
    services.set(key, own);
  }
  const found: (Place & { readonly behind: PlaceFacts['behind'] })[] = [];
  for (const [key, names] of services) {
    const [from = '', to = ''] = JSON.parse(key) as string[];
    const compared = { services: undefined, environments: undefined, names };
    for (const facts of await readDiff(queries, { from, to, until: undefined, scope: compared, below })) {
      const { service, behind: count, since } = facts;
      if (relationOf(facts) !== 'ahead' || since === null) continue;
      found.push({ service, environment: to, behind: { of: from, count, since } });
    }
  }
  return found;
}

function byName(one: Place, other: Place): number {
  return byCodePoint(one.service, other.service) || byCodePoint(one.environment, other.environment);
}
