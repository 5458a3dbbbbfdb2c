import { type BoardFacts, byCodePoint, type PlaceFacts } from '@shiplog/contract';
import { compileGlobs, type Stage, stageReference } from '@shiplog/text';
import { listSuccesses, readHidden, readNotOvertaken, readRunning } from '../db/board-facts.ts';
import type { Queries } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { readDiff } from '../db/environments-diff.ts';
import { readStagesDiff } from '../db/stages-diff.ts';
import { type StagePair, stagePairs } from '../domain/board-facts.ts';
import { relationOf } from '../domain/environments-diff.ts';
import type { FindingSettings } from '../domain/finding.ts';
import { productionOf, stageShapes } from '../domain/promotion-order.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import { judgeQuality } from './quality.ts';

interface Place {
  readonly service: string;
  readonly environment: string;
}

/** The minimum number of deployments for usual durations, and for calling a deployment slow. */
const usualMin = 3;
const slowMin = 5;

interface FactsQuestion {
  readonly scope: Scope | undefined;
  readonly promotionOrder: readonly Stage[];
  readonly findings: FindingSettings;
  /** Events from this id on are not in the folds yet. */
  readonly below: string;
}

/** The facts of all places at the moment of the snapshot (board-facts.md). */
export async function boardFacts(
  queries: Queries,
  { scope, promotionOrder, findings: settings, below }: FactsQuestion,
): Promise<BoardFacts> {
  const places = new Map<string, PlaceFacts>();
  const add = ({ service, environment }: Place, facts: Partial<PlaceFacts>) => {
    const key = JSON.stringify([service, environment]);
    places.set(key, { ...(places.get(key) ?? { service, environment, ...nothing }), ...facts });
  };
  const { now, emitters, findings } = await judgeQuality(queries, scope, settings);
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
  const stages = stageShapes(await listEnvironments(queries), promotionOrder);
  for (const { behind, ...place } of await readBehind(queries, { scope, promotionOrder, below, stages }))
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
    ladder: promotionOrder.map(({ name }) => name),
    production: productionOf(promotionOrder),
    stages,
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

interface BehindQuestion extends Omit<FactsQuestion, 'findings'> {
  readonly stages: BoardFacts['stages'];
}

/** Where the stage before is ahead, as in the difference of the two (3.6, stages.md 4.13). */
async function readBehind(queries: Queries, { scope, promotionOrder, below, stages }: BehindQuestion) {
  const isAsked = scope?.environments && compileGlobs(scope.environments);
  const compared = new Map<string, { readonly pair: StagePair; readonly names: string[] }>();
  for (const pair of stagePairs(await listSuccesses(queries, scope), promotionOrder)) {
    if (isAsked && !isAsked(pair.to)) continue;
    const key = JSON.stringify([pair.stage.globs ? { stage: pair.stage.name } : pair.from, pair.to]);
    const known = compared.get(key) ?? { pair, names: [] };
    known.names.push(pair.service);
    compared.set(key, known);
  }
  const found: (Place & { readonly behind: PlaceFacts['behind'] })[] = [];
  for (const { pair, names } of compared.values()) {
    const { stage, from, to } = pair;
    const question = { until: undefined, scope: { services: undefined, environments: undefined, names }, below };
    const inStage = stages.find(({ name }) => name === stage.name)?.environments ?? [];
    const diff = stage.globs
      ? await readStagesDiff(queries, { from: inStage, to: [to], release: 'newest', ...question })
      : await readDiff(queries, { from, to, ...question });
    const of = stage.globs ? stageReference(stage.name) : from;
    for (const facts of diff) {
      const { service, behind: count, since } = facts;
      if (relationOf(facts) !== 'ahead' || since === null) continue;
      found.push({ service, environment: to, behind: { of, count, since } });
    }
  }
  return found;
}

function byName(one: Place, other: Place): number {
  return byCodePoint(one.service, other.service) || byCodePoint(one.environment, other.environment);
}
