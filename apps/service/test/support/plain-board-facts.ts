import type { BoardFacts, DeploymentEvent, PlaceFacts } from '@shiplog/contract';
import { distinct, micros, newestFirst } from '@shiplog/testing';
import { plainDiff, plainStagesDiff } from './plain-environments-diff.ts';
import { type PlainRow, plainEmitters, plainFindings } from './plain-quality.ts';
import { type PlainStage, stageOf } from './plain-stage.ts';

/**
 * The board facts as defined by board-facts.md, from a list of rows, in plain loops. The model shares no code with the
 * product.
 */

type Rows = readonly DeploymentEvent[];

export interface PlainQuestion {
  readonly rows: Rows;
  readonly nowMs: number;
  readonly ladder: readonly PlainStage[];
  readonly includes: (place: { readonly service: string; readonly environment: string }) => boolean;
}

interface PlainPlace {
  readonly service: string;
  readonly environment: string;
  readonly own: Rows;
  /** The `current` of the matrix. */
  readonly current: DeploymentEvent | undefined;
  /** Unlike `usual` in the response, even if there are fewer than three. In minutes, ascending. */
  readonly durations: readonly number[];
}

const minuteMicros = 60_000_000;

export function plainBoardFacts({ rows, nowMs, ladder, includes }: PlainQuestion): Omit<BoardFacts, 'generated_at'> {
  const plain = rows.map(plainRow);
  const findings = plainFindings(plain, nowMs, () => true);
  const places: PlaceFacts[] = [];
  for (const service of distinct(rows.map((row) => row.service))) {
    for (const environment of distinct(rows.map((row) => row.environment))) {
      const own = rows.filter((row) => row.service === service && row.environment === environment);
      if (own.length === 0 || !includes({ service, environment })) continue;
      const current = latest(own.filter(isEffective));
      const place = { service, environment, own, current, durations: durationsIn(rows, service, environment, nowMs) };
      const stuck = stuckIn(rows, place, nowMs);
      const facts: PlaceFacts = {
        service,
        environment,
        stuck,
        slow: stuck ? null : slowIn(rows, place, nowMs),
        behind: behindIn(rows, place, ladder),
        hidden: hiddenIn(place, nowMs),
        usual: current?.status === 'in-progress' ? usualIn(place) : null,
        findings: kinds.flatMap((kind) =>
          findings
            .filter((one) => one.kind === kind && one.service === service && one.environment === environment)
            .map(({ count, before_reporter }) => ({ kind, count, ...(before_reporter && { before_reporter }) })),
        ),
      };
      const hasFact = facts.stuck || facts.slow || facts.behind || facts.hidden || facts.usual;
      if (hasFact || facts.findings.length > 0) places.push(facts);
    }
  }
  return {
    ladder: ladder.map(({ name }) => name),
    production: ladder.at(-1)?.name ?? '',
    stages: [...ladder, undefined].map((stage) => ({
      name: stage?.name ?? null,
      environments: environmentsIn(rows, ladder, stage),
      production: stage !== undefined && stage === ladder.at(-1),
    })),
    places,
    emitters: plainEmitters(plain, nowMs)
      .filter(({ silent }) => silent)
      .map(({ reporter, last_at, usual_interval_minutes }) => ({ reporter, last_at, usual_interval_minutes })),
  };
}

/** The kinds that name a place, in the order of the table in questions.md 10. */
const kinds = ['future', 'late', 'stuck', 'unknown-parent', 'duplicate', 'unversioned'] as const;

const isEffective = ({ status }: DeploymentEvent) => ['in-progress', 'success', 'failure'].includes(status);
const latest = (rows: Rows): DeploymentEvent | undefined => newestFirst(rows)[0];
const first = (rows: Rows): DeploymentEvent | undefined => newestFirst(rows).at(-1);
const isLatest = (row: DeploymentEvent, rows: Rows) => latest(rows)?.id === row.id;
/** In microseconds. */
const ageOf = (row: DeploymentEvent, nowMs: number) => nowMs * 1000 - Number(micros(row));
const rowsOf = (rows: Rows, deployment: string) => rows.filter((row) => row.deployment_id === deployment);

export function plainRow(row: DeploymentEvent): PlainRow {
  return {
    id: row.id,
    arrivedMs: Number.parseInt(row.id.replaceAll('-', '').slice(0, 12), 16),
    happenedMicros: micros(row),
    deployment: row.deployment_id,
    service: row.service,
    environment: row.environment,
    status: row.status,
    reporter: row.progress_reporter ?? null,
    parents: row.parent_deployments ?? [],
    released: Boolean(row.version || row.sha),
  };
}

/** The latest rows of the deployments that end in a place. */
function endsIn(rows: Rows, service: string, environment: string): DeploymentEvent[] {
  return distinct(rows.map((row) => row.deployment_id)).flatMap((deployment) => {
    const last = latest(rowsOf(rows, deployment));
    return last && last.service === service && last.environment === environment ? [last] : [];
  });
}

function durationsIn(rows: Rows, service: string, environment: string, nowMs: number): number[] {
  const durations: number[] = [];
  for (const last of endsIn(rows, service, environment)) {
    const all = rowsOf(rows, last.deployment_id);
    const age = ageOf(last, nowMs);
    const began = first(all);
    if (!began || all.length < 2 || age <= 0 || age > 720 * 60 * minuteMicros) continue;
    durations.push(Number(micros(last) - micros(began)) / minuteMicros);
  }
  return durations.sort((one, other) => one - other);
}

const p95Of = (durations: readonly number[]) => durations[Math.ceil(durations.length * 0.95) - 1] ?? 0;

function usualIn({ durations }: PlainPlace): PlaceFacts['usual'] {
  if (durations.length < 3) return null;
  const half = Math.floor(durations.length / 2);
  const upper = durations[half] ?? 0;
  const p50 = durations.length % 2 === 1 ? upper : ((durations[half - 1] ?? 0) + upper) / 2;
  return { p50, p95: p95Of(durations), count: durations.length };
}

function stuckIn(rows: Rows, place: PlainPlace, nowMs: number): PlaceFacts['stuck'] {
  const stuck = endsIn(rows, place.service, place.environment).filter((row) => {
    const minutes = ageOf(row, nowMs) / minuteMicros;
    const isOpen = ['pending', 'queued', 'waiting', 'in-progress'].includes(row.status);
    return isOpen && minutes > 60 && minutes > 3 * p95Of(place.durations);
  });
  const row = latest(stuck);
  if (!row || (place.current && !isLatest(row, [row, place.current]))) return null;
  return { since: row.happened_at, status: row.status, deployment_id: row.deployment_id };
}

function slowIn(rows: Rows, place: PlainPlace, nowMs: number): PlaceFacts['slow'] {
  const { current, own } = place;
  const usual = usualIn(place);
  if (current?.status !== 'in-progress' || !usual || usual.count < 5) return null;
  if (!isLatest(current, rowsOf(rows, current.deployment_id))) return null;
  let began = current;
  for (const row of newestFirst(rowsOf(own, current.deployment_id))) {
    if (row.status !== 'in-progress') break;
    began = row;
  }
  if (ageOf(began, nowMs) / minuteMicros <= usual.p95) return null;
  return { since: began.happened_at, usual_minutes: usual.p50 };
}

function environmentsIn(rows: Rows, ladder: readonly PlainStage[], stage: PlainStage | undefined): string[] {
  return distinct(rows.map((row) => row.environment)).filter((name) => stageOf(ladder, name) === stage);
}

function behindIn(
  rows: Rows,
  { service, environment }: PlainPlace,
  ladder: readonly PlainStage[],
): PlaceFacts['behind'] {
  const ours = rows.filter((row) => row.service === service);
  const own = stageOf(ladder, environment);
  const before = own ? ladder.slice(0, ladder.indexOf(own)).reverse() : [];
  for (const stage of before) {
    const last = latest(ours.filter((row) => row.status === 'success' && stageOf(ladder, row.environment) === stage));
    if (!last) continue;
    const of = stage.globs ? `stage:${stage.name}` : last.environment;
    const sides = { from: environmentsIn(rows, ladder, stage), to: [environment], release: 'newest' as const };
    const { items } = stage.globs ? plainStagesDiff(ours, sides) : plainDiff(ours, of, environment);
    const [item] = items;
    if (item?.relation !== 'ahead') return null;
    return { of, count: item.behind ?? 0, since: item.since ?? '' };
  }
  return null;
}

function hiddenIn({ current, own }: PlainPlace, nowMs: number): PlaceFacts['hidden'] {
  if (!current || -ageOf(current, nowMs) <= minuteMicros) return null;
  const kept = own.filter((row) => row.id > current.id && micros(row) < micros(current));
  const event = latest(kept.filter(isEffective)) ?? latest(kept);
  return event ? { event } : null;
}
